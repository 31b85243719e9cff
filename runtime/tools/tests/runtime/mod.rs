//! Runs the tests' programs on the installed runtime. Its directory is `OMPHALOS_LIB`, or
//! `target/dist/lib`.

use crate::support;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The runtime's directory.
pub fn directory() -> PathBuf {
    let path = std::env::var_os("OMPHALOS_LIB").filter(|v| !v.is_empty()).map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/dist/lib"),
        PathBuf::from,
    );
    assert!(
        path.join("libomphalos.so").exists(),
        "{}: no libomphalos.so there: run `cargo xtask dist`, or name its directory in \
         OMPHALOS_LIB",
        path.display()
    );
    path
}

/// Compiles one of the tests' programs for OpenMP.
pub fn build(compiler: &str, program: &str, name: &str, flags: &[&str]) -> PathBuf {
    // A call at the very end of a function would become a jump, and the function would be in no
    // return address.
    let mut all = vec!["-fopenmp", "-Wno-unused-but-set-variable", "-fno-optimize-sibling-calls"];
    all.extend_from_slice(flags);
    support::compile(compiler, &format!("programs/{program}.c"), name, &all)
}

/// Runs a program on the installed runtime, and kills it after a minute, which no test takes.
pub fn run(binary: &Path, arguments: &[&str], variables: &[(&str, &Path)]) -> Output {
    let mut command = Command::new("timeout");
    command.arg("60").arg(binary).args(arguments).env("LD_LIBRARY_PATH", directory());
    for name in [
        "OMP_TOOL", "OMP_TOOL_LIBRARIES", "OMPHALOS_TOOL_LIBRARIES", "OMP_NUM_THREADS",
        "OMP_THREAD_LIMIT",
    ] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().unwrap()
}
