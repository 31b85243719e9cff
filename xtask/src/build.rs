//! `build`: compiles the product in release mode and links the runtime's shared library.
//!
//! rustc ignores a version script on a cdylib, and GCC's programs ask for symbols by version
//! (`GOMP_parallel@GOMP_4.0`). So the runtime is a static library that the C compiler driver
//! links into a shared one here.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::tools::{self, cargo, make_dir, root, step, target_dir};

/// What `build` made.
pub struct Built {
    /// The `omphalos` program.
    pub program: PathBuf,
    /// The agent's shared library.
    pub agent: PathBuf,
    /// The runtime's shared library.
    pub runtime: PathBuf,
}

/// The version script that says which symbols the runtime exports, and at which versions.
pub fn version_script() -> PathBuf {
    root().join("crates/runtime/symbols/libomphalos.map")
}

/// Compiles and links; the results lie in the target directory.
pub fn run() -> Outcome<Built> {
    step("compiling the program, the agent and the runtime (release)");
    tools::run(cargo().args(["build", "--release"]).args([
        "--package",
        "omphalos",
        "--package",
        "omphalos-agent",
        "--package",
        "omphalos-runtime",
    ]))?;
    let release = target_dir().join("release");
    let runtime = target_dir().join("link").join("libomphalos.so");
    link(&release.join("libomphalos_runtime.a"), &version_script(), &runtime)?;
    Ok(Built {
        program: release.join("omphalos"),
        agent: release.join("libomphalos_agent.so"),
        runtime,
    })
}

/// Links the static library into the shared one.
fn link(archive: &Path, script: &Path, output: &Path) -> Outcome {
    step("linking libomphalos.so");
    make_dir(output.parent().expect("the output lies in a folder"))?;
    // Linked beside the old file and renamed over it: a process may have the old one mapped.
    let fresh = output.with_extension("so.new");
    let mut cc = Command::new("cc");
    cc.arg("-shared").arg("-o").arg(&fresh);
    cc.arg("-Wl,--whole-archive").arg(archive).arg("-Wl,--no-whole-archive");
    // The whole archive brings all of Rust's std; what no exported symbol reaches goes again.
    cc.args(["-Wl,--gc-sections", "-Wl,--no-undefined", "-Wl,-z,relro,-z,now"]);
    // A runtime whose threads are still running must never be unmapped by dlclose.
    cc.args(["-Wl,-z,nodelete", "-Wl,-soname,libomphalos.so", "-Wl,--build-id"]);
    cc.arg(format!("-Wl,--version-script={}", script.display()));
    cc.args(["-lgcc_s", "-lpthread", "-ldl", "-lm", "-lc"]);
    tools::run(&mut cc)?;
    std::fs::rename(&fresh, output)
        .map_err(|error| format!("cannot rename {}: {error}", fresh.display()))
}
