//! Measures the cost of the hooks for tools: builds the library a second time, without them, and
//! has the runner compare both with each other and with LLVM's runtimes with tools.

use std::path::{Path, PathBuf};

use super::iomp5;
use crate::tools::{cargo, make_dir, run as start, step, target_dir};
use crate::{Outcome, dist, link};

/// Measures; `arguments` go to the runner.
pub fn run(tree: &Path, arguments: &[String]) -> Outcome {
    let without = without_hooks()?;
    let mut runner = cargo();
    runner.args(["run", "--release", "--quiet", "--package", "omphalos-tests", "--bin", "hooks"]);
    runner.arg("--").args(arguments);
    runner.env("OMPHALOS_DIST", tree).env("OMPHALOS_LIB", tree.join("lib"));
    runner.env("OMPHALOS_NO_HOOKS", without);
    if let Some(path) = iomp5::find() {
        runner.env("OMPHALOS_IOMP5", path);
    }
    start(&mut runner)
}

/// Builds the library without its hooks and returns its folder.
fn without_hooks() -> Outcome<PathBuf> {
    step("compiling the runtime without hooks");
    // This build has a target folder of its own, or each of the two builds would undo the other.
    let target = target_dir().join("no-hooks");
    let mut build = cargo();
    build.args(["build", "--release", "--package", "omphalos-runtime", "--features", "no-hooks"]);
    start(build.arg("--target-dir").arg(&target))?;
    let folder = target.join("lib");
    make_dir(&folder)?;
    link::link(&target.join("release/libomphalos_runtime.a"), &folder)?;
    dist::name_runtime(&folder)?;
    Ok(folder)
}
