//! `miri`: unit tests in the interpreter that knows Rust's memory model.
//!
//! It finds undefined behaviour: references that alias, reads of what is not initialised, data
//! races, leaks. It interprets no assembly and no foreign functions, so the crates that enter the
//! system or the program stay out; what is left are algorithms, formats and parsers.

use std::process::Command;

use crate::Outcome;
use crate::tools::{root, run as start, step, target_dir};

/// The crates whose unit tests run.
const CRATES: &[&str] =
    &["omphalos-sync", "omphalos-profile-format", "omphalos-abi", "omphalos-layout"];

/// The kernel looks at half of the first ones' lock, which the interpreter takes for an access of
/// another size from Rust; the next ones count to a million and more, which takes it half an hour.
/// Locks of the process know their holder by the thread pointer, which assembly reads. The last one
/// has all threads pass a barrier, a system call that the interpreter does not know.
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
    // Times are asked for, and pointers made from words: the deque keeps tasks as words.
    miri.env("MIRIFLAGS", "-Zmiri-disable-isolation -Zmiri-permissive-provenance");
    start(miri.env("CARGO_TARGET_DIR", target_dir().join("miri"))).map_err(|error| {
        format!("{error}\n(needs `rustup component add --toolchain nightly miri rust-src`)")
    })
}
