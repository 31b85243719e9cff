//! `test`: installs what the tests need, builds the installable tree, runs every test.
//!
//! Tests find the tree through `OMPHALOS_DIST` and its libraries through `OMPHALOS_LIB`.

use std::path::Path;
use std::process::Command;

use crate::tools::{cargo, have, run as start, step, target_dir};
use crate::{Outcome, dist, packages};

/// The crate whose algorithms are model-checked with loom.
const MODELLED: &str = "omphalos-sync";

/// Runs all tests, or those that `arguments` (passed to the runner) choose.
pub fn run(arguments: &[String]) -> Outcome {
    packages::ensure(packages::FOR_TESTS)?;
    let tree = dist::run()?;
    // The runner of the other tests comes last: its closing line is the last.
    if arguments.is_empty() {
        models()?;
    }
    step("running the tests");
    if !have("cargo-nextest") {
        let mut test = with_tree(&tree);
        return start(test.args(["test", "--workspace", "--no-fail-fast"]).args(arguments));
    }
    // nextest runs no documentation tests.
    if arguments.is_empty() {
        start(with_tree(&tree).args(["test", "--workspace", "--doc", "--quiet"]))?;
    }
    let mut nextest = with_tree(&tree);
    nextest.args(["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "slow"]);
    start(nextest.args(arguments))
}

fn with_tree(tree: &Path) -> Command {
    let mut command = cargo();
    command.env("OMPHALOS_DIST", tree).env("OMPHALOS_LIB", tree.join("lib"));
    command
}

/// Explores all interleavings of the small algorithms. Built apart, since `--cfg loom` would
/// otherwise have everything built anew each time.
fn models() -> Outcome {
    step("checking the models (loom)");
    let mut test = cargo();
    test.args(["test", "--release", "--quiet", "--lib", "--package", MODELLED]);
    start(test.env("RUSTFLAGS", "--cfg loom").env("CARGO_TARGET_DIR", target_dir().join("loom")))
}
