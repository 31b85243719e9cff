//! `test`: installs what the tests need, builds the installable tree, runs every test.
//!
//! Tests find the tree through `OMPHALOS_DIST` and its libraries through `OMPHALOS_LIB`.

use crate::tools::{cargo, have, run as start, step};
use crate::{Outcome, dist, packages};

/// Runs all tests, or those that `arguments` (passed to the runner) choose.
pub fn run(arguments: &[String]) -> Outcome {
    packages::ensure(packages::FOR_TESTS)?;
    let tree = dist::run()?;
    let with_tree = |mut command: std::process::Command| {
        command.env("OMPHALOS_DIST", &tree).env("OMPHALOS_LIB", tree.join("lib"));
        command
    };
    step("running the tests");
    if !have("cargo-nextest") {
        return start(
            with_tree(cargo()).args(["test", "--workspace", "--no-fail-fast"]).args(arguments),
        );
    }
    // nextest runs no documentation tests. They come first: its own closing line is the last.
    if arguments.is_empty() {
        start(with_tree(cargo()).args(["test", "--workspace", "--doc", "--quiet"]))?;
    }
    let mut nextest = with_tree(cargo());
    nextest.args(["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "slow"]);
    start(nextest.args(arguments))
}
