//! `miri`: runs unit tests in the interpreter that knows Rust's memory model.
//!
//! It finds undefined behaviour: references that alias, reads of uninitialised memory, data races,
//! leaks. It interprets neither assembly nor foreign functions, so crates that use the system or
//! live in the program are left out; algorithms, formats and parsers remain.

use std::process::Command;

use crate::Outcome;
use crate::tools::{root, run as start, step, target_dir};

/// The crates whose unit tests run.
const CRATES: &[&str] =
    &["omphalos-sync", "omphalos-profile-format", "omphalos-abi", "omphalos-layout"];

/// Tests that the interpreter cannot run in useful time, or at all, in this order:
/// - The kernel accesses half of the lock's word, and the interpreter takes this for an access of
///   another size by Rust (`owners_`, `a_lock_in_the_place_…`).
/// - Counting to a million and more takes the interpreter half an hour (`holds_`).
/// - Locks of the process know their holder by the thread pointer, which assembly reads.
/// - The last test has all threads pass a barrier, by a system call that the interpreter does not
///   know.
const LEFT_OUT: &[&str] = &[
    "nest_lock::tests::owners_",
    "nest_lock::tests::a_lock_in_the_place_of_one_that_was_held_begins_anew",
    "nest_lock::tests::holds_",
    "process_lock::",
    "word_lock::tests::a_plain_release_loses_no_sleeper",
];

/// Runs the tests that `arguments` choose.
pub fn run(arguments: &[String]) -> Outcome {
    step("interpreting unit tests (miri)");
    let mut miri = Command::new("rustup");
    miri.current_dir(root()).args(["run", "nightly", "cargo", "miri", "test", "--lib"]);
    miri.args(CRATES.iter().flat_map(|name| ["--package", name]));
    miri.arg("--").args(LEFT_OUT.iter().flat_map(|name| ["--skip", name])).args(arguments);
    // The tests read the time, so isolation is off. The deque keeps tasks as words and makes
    // pointers of them, so provenance is permissive.
    miri.env("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-permissive-provenance");
    start(miri.env("CARGO_TARGET_DIR", target_dir().join("miri"))).map_err(|error| {
        format!("{error}\n(needs `rustup component add --toolchain nightly miri rust-src`)")
    })
}
