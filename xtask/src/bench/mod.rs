//! `bench`: measures Omphalos beside the system's runtimes, interleaved in one run.
//!
//! The rows and the runner are in `bench/` and `tests/` (see `bench/README.md`); this command
//! builds the tree, finds the peers and tells the runner where they are.

mod hooks;
pub mod iomp5;
mod profile_cost;
mod top_cost;

use crate::tools::{cargo, run as start, step, target_dir};
use crate::{Outcome, dist};
use std::path::Path;

/// Runs the rows that `arguments` choose, or all. The first argument may name something else to
/// measure:
/// - `profile-cost`: the cost of profiling;
/// - `top-cost`: the cost of `omphalos top`;
/// - `hooks`: the cost of the hooks for tools;
/// - `uneven`: programs whose work is uneven;
/// - `turns`: hand-overs from thread to thread, with more and more threads.
///
/// `--pack` makes the folder `target/bench-pack`, to measure on machines that have no compiler.
/// Without arguments, the cost of profiling is measured after the rows.
pub fn run(arguments: &[String]) -> Outcome {
    let tree = dist::run()?;
    match arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some(("profile-cost", rest)) => return profile_cost::run(&tree, rest),
        Some(("top-cost", rest)) => return top_cost::run(&tree, rest),
        Some(("hooks", rest)) => return hooks::run(&tree, rest),
        _ => {}
    }
    match arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some(("uneven", rest)) => rows(&tree, &["--uneven"], rest)?,
        Some(("turns", rest)) => {
            for threads in TURNS_THREADS {
                step(&format!("{threads} threads"));
                rows(&tree, &[&["--threads", threads], &TURNS_ROWS[..]].concat(), rest)?;
            }
        }
        _ => rows(&tree, &[], arguments)?,
    }
    if arguments.is_empty() { profile_cost::run(&tree, &[]) } else { Ok(()) }
}

/// The rows that `bench turns` measures; in each, something goes from thread to thread.
const TURNS_ROWS: [&str; 12] = [
    "for_ordered_static1", "for_ordered_dynamic1", "doacross_static1", "depend_chain",
    "task_taskwait", "lock_contended", "critical", "barrier", "wake_100us", "wake_1ms",
    "wake_sleep1ms", "wake_20ms",
];
/// The numbers of threads that `bench turns` measures with.
const TURNS_THREADS: [&str; 5] = ["2", "3", "4", "8", "16"];

/// Starts the runner with `options` and then `more`, the user's own arguments.
fn rows(tree: &Path, options: &[&str], more: &[String]) -> Outcome {
    let mut runner = cargo();
    runner.args(["run", "--release", "--quiet", "--package", "omphalos-tests", "--bin", "bench"]);
    runner.arg("--").args(options).args(more);
    runner.env("OMPHALOS_DIST", tree).env("OMPHALOS_LIB", tree.join("lib"));
    if more.first().is_some_and(|first| first == "--pack") {
        runner.arg(target_dir().join("bench-pack"));
    }
    match iomp5::find() {
        Some(path) => drop(runner.env("OMPHALOS_IOMP5", path)),
        None => step("no libiomp5.so was found: set OMPHALOS_IOMP5 to one to compare with it"),
    }
    start(&mut runner)
}
