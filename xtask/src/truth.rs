//! `truth`: profiles programs that time themselves, and prints where a report differs from their
//! times.
//!
//! The programs are in `tests/truth`, the runner in `tests/src/truth`.

use std::path::{Path, absolute};

use crate::tools::{cargo, run as start};
use crate::{Outcome, dist};

/// Builds the tree and passes the arguments on to the runner.
pub fn run(arguments: &[String]) -> Outcome {
    let tree = dist::run()?;
    let mut runner = cargo();
    runner.args(["run", "--release", "--quiet", "--package", "omphalos-tests", "--bin", "truth"]);
    // The runner starts in the root, so a folder that is named from here becomes absolute.
    let from_here = |argument: &String| match Path::new(argument) {
        folder if folder.is_dir() => absolute(folder).unwrap_or_else(|_| folder.to_owned()),
        other => other.to_owned(),
    };
    runner.arg("--").args(arguments.iter().map(from_here));
    runner.env("OMPHALOS_DIST", &tree).env("OMPHALOS_LIB", tree.join("lib"));
    start(&mut runner)
}
