//! `build`: compiles the product in release mode and links the runtime's shared library.

use std::path::PathBuf;

use crate::Outcome;
use crate::link::{self, Linked};
use crate::release::floor::Floor;
use crate::tools::{self, cargo, step, target_dir};

/// The files that `build` made.
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

/// The packages that make up the product.
pub const PACKAGES: [&str; 7] = [
    "omphalos", "omphalos-agent", "omphalos-recorder", "omphalos-runtime", "omphalos-ompd",
    "omphalos-ompd-2016", "omphalos-ompd-2013",
];

/// The libraries for debuggers: the file name that cargo gives, and the name that debuggers look
/// for.
const DEBUGGERS: &[(&str, &str)] = &[
    ("libompd.so", "libompd.so"),
    ("libompd_2016.so", "libompd-2016.so"),
    ("libompd_2013.so", "libompd-2013.so"),
];

/// Compiles and links; the results lie in the target directory.
pub fn run() -> Outcome<Built> {
    run_for(None)
}

/// Does the same; if there is a floor, for that C library, which is older than this machine's.
pub fn run_for(floor: Option<&Floor>) -> Outcome<Built> {
    step("compiling the program, the agent and the runtime (release)");
    let mut cargo = cargo();
    cargo.args(["build", "--release"]);
    let (mut target, mut release, mut others) =
        (target_dir(), target_dir().join("release"), Vec::new());
    if let Some(floor) = floor {
        cargo.arg("--locked").args(floor.for_cargo());
        cargo.env("CARGO_ENCODED_RUSTFLAGS", floor.for_rustc()?);
        (target, release, others) = (floor.target().clone(), floor.built(), floor.for_linking());
    }
    for package in PACKAGES {
        cargo.args(["--package", package]);
    }
    tools::run(&mut cargo)?;
    Ok(Built {
        program: release.join("omphalos"),
        agent: release.join("libomphalos_agent.so"),
        recorder: release.join("libomphalos_recorder.so"),
        debuggers: DEBUGGERS.iter().map(|(file, name)| (release.join(file), *name)).collect(),
        runtime: link::link_with(
            &release.join("libomphalos_runtime.a"),
            &target.join("link"),
            &others,
        )?,
    })
}
