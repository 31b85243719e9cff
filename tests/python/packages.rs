//! Programs that use well-known packages with OpenMP (`packages/`), those that the system's Python
//! has.

use std::path::Path;
use std::process::Command;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths};

/// Debian's OpenBLAS with OpenMP threads: another one may be installed too.
const OPENMP_BLAS: &str = "/usr/lib/x86_64-linux-gnu/openblas-openmp";

pub fn has_lines(python: &Path, script: &str, package: &str) -> Result<(), String> {
    let import = format!("import {package}");
    if !exec::run(Command::new(python).args(["-c", &import]))?.success() {
        eprintln!("{} has no package {package}: {script} is not tried", python.display());
        return Ok(());
    }
    let folder = paths::scratch(&format!("python packages {script}"));
    let scripts = paths::tests().join("python/packages");
    let source = scripts.join(format!("{script}.py"));
    let library = paths::tests().join("python/library.c");
    let library = Compiler::Gcc.compile(&library, &["-O2", "-g", "-shared", "-fPIC"])?;
    let mut program = Command::new(python);
    program.args([&source, &library]);
    if package == "numpy" {
        program.env("LD_LIBRARY_PATH", OPENMP_BLAS);
    }
    if package == "Cython" {
        let Some(headers) = super::headers(python)? else { return Ok(()) };
        let made = folder.join("compiled.c");
        let mut cython = Command::new(python);
        cython.args(["-m", "cython", "-o"]).arg(&made).arg(scripts.join("compiled.pyx"));
        let outcome = exec::run(&mut cython)?;
        if !outcome.success() {
            return Err(outcome.describe());
        }
        let module = Compiler::Gcc.compile(&made, &["-O2", "-g", "-shared", "-fPIC", &headers])?;
        std::fs::copy(module, folder.join("compiled.so")).map_err(|error| error.to_string())?;
        let mut path = std::ffi::OsString::from(&folder);
        if let Some(more) = std::env::var_os("PYTHONPATH") {
            path.push(":");
            path.push(more);
        }
        program.env("PYTHONPATH", path);
    }
    if let Err(fault) = super::profile(&folder, &program) {
        if !fault.contains("no OpenMP was used") {
            return Err(fault);
        }
        eprintln!("{package} uses no OpenMP here: {script} is not tried");
        return Ok(());
    }
    super::holds_lines(&folder, &source)?;
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}
