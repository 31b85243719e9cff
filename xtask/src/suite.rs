//! `suite`: runs a checkout of a test suite that others wrote, on the compiler's own runtime and on
//! ours.
//!
//! The runner is in `tests/src/outside`; docs/suites.md says where the suites come from.

use crate::bench::iomp5;
use crate::tools::{cargo, run as start};
use crate::{Outcome, dist};
use std::path::absolute;

/// Builds the tree and passes the arguments on to the runner.
pub fn run(arguments: &[String]) -> Outcome {
    let tree = dist::run()?;
    let mut runner = cargo();
    runner.args(["run", "--release", "--quiet", "--package", "omphalos-tests", "--bin", "suite"]);
    runner.arg("--").args(from_here(arguments)?);
    runner.env("OMPHALOS_DIST", &tree).env("OMPHALOS_LIB", tree.join("lib"));
    if arguments.first().is_some_and(|suite| suite == "programs")
        && let Some(path) = iomp5::find()
    {
        runner.env("OMPHALOS_IOMP5", path);
    }
    start(&mut runner)
}

/// Returns the arguments, with the folders that they name made absolute: the runner starts in the
/// root.
fn from_here(arguments: &[String]) -> Outcome<Vec<String>> {
    let mut folder = false;
    let made = arguments.iter().map(|argument| {
        let is_folder =
            std::mem::replace(&mut folder, argument == "--from" || argument == "--stock");
        if !is_folder {
            return Ok(argument.clone());
        }
        let path = absolute(argument).map_err(|error| format!("{argument}: {error}"))?;
        Ok(path.to_string_lossy().into_owned())
    });
    made.collect()
}
