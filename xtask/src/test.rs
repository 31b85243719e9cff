//! `test`: installs what the tests need, builds the installable tree, runs every test.
//!
//! Tests find the tree through `OMPHALOS_DIST` and its libraries through `OMPHALOS_LIB`.

use std::path::Path;
use std::process::Command;

use crate::tools::{cargo, have, run as start, step, target_dir};
use crate::{Outcome, dist, packages, readers};

/// The crate whose algorithms are model-checked with loom.
const MODELLED: &str = "omphalos-sync";

/// What the runner reads for the number of tests that run at a time.
const TESTS_AT_ONCE: &str = "NEXTEST_TEST_THREADS";

/// Runs all tests, or those that `arguments` (passed to the runner) choose.
pub fn run(arguments: &[String]) -> Outcome {
    packages::ensure(packages::FOR_TESTS)?;
    readers::ensure()?;
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
    if std::env::var_os(TESTS_AT_ONCE).is_none() {
        nextest.env(TESTS_AT_ONCE, at_once().to_string());
    }
    start(nextest.args(arguments))
}

/// How many tests run at a time: half as many again as there are processors, since a test often
/// waits for a program that sleeps. Those that measure run alone (`.config/nextest.toml`).
fn at_once() -> usize {
    let processors = std::thread::available_parallelism().map_or(2, usize::from);
    processors + processors.div_ceil(2)
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
