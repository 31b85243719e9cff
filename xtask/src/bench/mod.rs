//! `bench`: measures Omphalos beside the system's runtimes, interleaved in one run.
//!
//! The rows and the runner are in `bench/` and `tests/` (see `bench/README.md`); this builds the
//! tree, finds the peers and tells the runner where they are.

mod hooks;
pub mod iomp5;
mod profile_cost;
mod top_cost;

use crate::tools::{cargo, run as start, step, target_dir};
use crate::{Outcome, dist};

/// Runs the rows that `arguments` choose, or all. The first argument may name something else to
/// measure: `profile-cost`, what profiling costs; `top-cost`, what `omphalos top` costs; `hooks`,
/// what the hooks for tools cost; `uneven`, programs whose work is uneven. `--pack` makes the
/// folder `target/bench-pack`, which measures on machines that have no compiler.
pub fn run(arguments: &[String]) -> Outcome {
    let tree = dist::run()?;
    match arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some(("profile-cost", rest)) => return profile_cost::run(&tree, rest),
        Some(("top-cost", rest)) => return top_cost::run(&tree, rest),
        Some(("hooks", rest)) => return hooks::run(&tree, rest),
        _ => {}
    }
    let uneven = arguments.first().is_some_and(|first| first == "uneven");
    let words = if uneven { &arguments[1..] } else { arguments };
    let mut runner = cargo();
    runner.args(["run", "--release", "--quiet", "--package", "omphalos-tests", "--bin", "bench"]);
    runner.arg("--").args(uneven.then_some("--uneven")).args(words);
    runner.env("OMPHALOS_DIST", &tree).env("OMPHALOS_LIB", tree.join("lib"));
    if arguments.first().is_some_and(|first| first == "--pack") {
        runner.arg(target_dir().join("bench-pack"));
    }
    match iomp5::find() {
        Some(path) => drop(runner.env("OMPHALOS_IOMP5", path)),
        None => step("no libiomp5.so was found: set OMPHALOS_IOMP5 to one to compare with it"),
    }
    start(&mut runner)?;
    if arguments.is_empty() { profile_cost::run(&tree, &[]) } else { Ok(()) }
}
