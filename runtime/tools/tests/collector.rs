//! The Collector API under a client written as its text has it: built by each compiler, run on the
//! installed runtime.

mod runtime;
mod support;

use runtime::{build, run};
use support::compilers;

/// Runs one check of the client under each compiler. Returns the output.
fn check(what: &str, flags: &[&str]) -> Vec<String> {
    let outputs = compilers().into_iter().map(|compiler| {
        let mut all = vec!["-ldl", "-latomic", "-Wno-unused-function"];
        all.extend_from_slice(flags);
        let binary = build(compiler, "collector", &format!("collector-{what}-{compiler}"), &all);
        let result = run(&binary, &[what], &[]);
        let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
        assert!(result.status.success(), "{what}, {compiler}: {:?}\n{stderr}", result.status);
        String::from_utf8_lossy(&result.stdout).into_owned()
    });
    outputs.collect()
}

#[test]
fn who_may_ask_when() {
    check("sequence", &[]);
}

#[test]
fn sizes_layouts_and_batches() {
    check("layouts", &[]);
}

#[test]
fn ids_of_nested_regions() {
    check("ids", &[]);
}

#[test]
fn a_worker_that_begins_to_be_idle_is_in_no_region() {
    check("leaving", &[]);
}

/// At JOIN and BEGIN_IDLE, TAU stops the timers that it named for the region.
#[test]
fn tau_knows_the_region_that_ends() {
    check("ids", &["-DTAU", "-rdynamic"]);
    check("leaving", &["-DTAU", "-rdynamic"]);
}

/// A callback may take OpenMP's locks, as TAU's do: its own waits are not reported.
#[test]
fn a_callback_that_takes_a_lock() {
    check("locking", &[]);
}

/// START before any library has initialised itself.
#[test]
fn a_client_that_comes_early() {
    check("early", &["-DEARLY"]);
}

/// START, STOP and START again while threads of all kinds are at work: each is reached at once.
#[test]
fn a_client_that_comes_late() {
    check("late", &["-pthread"]);
}

#[test]
fn a_sampling_client() {
    check("sampling", &[]);
}

#[test]
fn a_million_meaningless_messages() {
    for output in check("fuzz", &[]) {
        println!("{output}");
    }
}

/// Every event comes, its ends match its begins on each thread, and the thread's state is that of
/// the event.
#[test]
fn every_event() {
    check("events", &[]);
}
