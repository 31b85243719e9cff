//! `build`: compiles the product in release mode and links the runtime's shared library.

use std::path::PathBuf;

use crate::Outcome;
use crate::link::{self, Linked};
use crate::tools::{self, cargo, step, target_dir};

/// What `build` made.
pub struct Built {
    /// The `omphalos` program.
    pub program: PathBuf,
    /// The agent's shared library.
    pub agent: PathBuf,
    /// The shared library of the tool that records events.
    pub recorder: PathBuf,
    /// The libraries for debuggers: each file with the name that it is installed by.
    pub debuggers: Vec<(PathBuf, &'static str)>,
    /// The runtime's shared library.
    pub runtime: Linked,
}

/// What cargo calls the libraries for debuggers, and what debuggers do.
const DEBUGGERS: &[(&str, &str)] = &[
    ("libompd.so", "libompd.so"),
    ("libompd_2016.so", "libompd-2016.so"),
    ("libompd_2013.so", "libompd-2013.so"),
];

/// Compiles and links; the results lie in the target directory.
pub fn run() -> Outcome<Built> {
    step("compiling the program, the agent and the runtime (release)");
    tools::run(cargo().args(["build", "--release"]).args([
        "--package",
        "omphalos",
        "--package",
        "omphalos-agent",
        "--package",
        "omphalos-recorder",
        "--package",
        "omphalos-runtime",
        "--package",
        "omphalos-ompd",
        "--package",
        "omphalos-ompd-2016",
        "--package",
        "omphalos-ompd-2013",
    ]))?;
    let release = target_dir().join("release");
    Ok(Built {
        program: release.join("omphalos"),
        agent: release.join("libomphalos_agent.so"),
        recorder: release.join("libomphalos_recorder.so"),
        debuggers: DEBUGGERS.iter().map(|(file, name)| (release.join(file), *name)).collect(),
        runtime: link::link(&release.join("libomphalos_runtime.a"), &target_dir().join("link"))?,
    })
}
