//! The sentences that the text of 2007 has about a runtime and that no other test shows: a client
//! of the Collector API on threads that stand where the text has a state or an event, in programs
//! of each compiler. docs/founding/collector-2007.md names the sentences.

mod runtime;
mod support;

use runtime::{build, run};
use std::path::Path;
use support::{compile, compilers, tool};

/// Runs one check of the client under each compiler. Returns the outputs.
fn check(what: &str) -> Vec<String> {
    let outputs = compilers().into_iter().map(|compiler| {
        let flags = ["-ldl", "-pthread", "-rdynamic", "-Wno-unused-function"];
        let name = format!("founding-2007-{compiler}");
        let binary = build(compiler, "founding/client_2007", &name, &flags);
        let result = run(&binary, &[what], &[]);
        let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
        assert!(result.status.success(), "{what}, {compiler}: {:?}\n{stderr}", result.status);
        String::from_utf8_lossy(&result.stdout).into_owned()
    });
    outputs.collect()
}

/// The header may not change them.
#[test]
fn numbers_of_the_header() {
    for compiler in compilers() {
        let object = format!("numbers-2007-{compiler}.o");
        compile(compiler, "programs/founding/numbers_2007.c", &object, &["-c"]);
    }
}

/// Locks, critical sections, atomic and ordered regions: only a thread that finds them taken waits.
#[test]
fn states_and_events_of_waits_for_mutexes() {
    check("mutexes");
}

#[test]
fn states_at_barriers() {
    check("barriers");
}

#[test]
fn states_outside_of_regions() {
    check("idle");
}

/// A lock that a thread holds, or a construct that it executes, gives it no state of its own.
#[test]
fn work_is_work() {
    check("working");
}

/// As far as compilers call the runtime where they combine.
#[test]
fn reductions() {
    check("reduction");
}

/// A region is forked by a thread that has overhead.
#[test]
fn overhead() {
    check("preparing");
}

/// Every kind of thread makes every request; an event is reported where it happens.
#[test]
fn any_thread_may_ask() {
    check("callers");
}

/// The code of a construct runs between its events, on the thread that executes it.
#[test]
fn events_around_constructs() {
    check("constructs");
}

/// The header has an event for each time that a thread enters or leaves a barrier's state.
#[test]
fn events_around_tasks_at_barriers() {
    check("tasks");
}

#[test]
fn events_around_regions() {
    check("regions");
}

/// The stacks at forks and those of the members, as section 6 combines them: the user's.
#[test]
fn stacks_of_the_user() {
    let inner = "leaf_function>body>inner_caller>body>outer_caller>whole_program>main";
    let outer = "leaf_function>body>outer_caller>whole_program>main";
    for said in check("stacks") {
        assert_eq!(said.lines().collect::<Vec<_>>(), [outer, outer, inner, inner]);
    }
}

/// A collector that is preloaded finds an interface where there is OpenMP, and does without where
/// there is none.
#[test]
fn a_preloaded_collector() {
    let flags = ["-ldl", "-Wno-unused-function"];
    let library = tool("gcc", "programs/founding/preloaded_2007.c", "preloaded-2007.so", &flags);
    let preload = [("LD_PRELOAD", library.as_path())];
    for compiler in compilers() {
        let binary = build(compiler, "loops", &format!("loops-preloaded-{compiler}"), &[]);
        let result = run(&binary, &[], &preload);
        let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
        let said = "collector: OpenMP, forks 3, joins 3, failures 0";
        assert!(result.status.success() && stderr.contains(said), "{compiler}: {stderr}");
    }
    let result = run(Path::new("/bin/true"), &[], &preload);
    let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
    let said = "collector: no OpenMP, forks 0, joins 0, failures 0";
    assert!(result.status.success() && stderr.contains(said), "{stderr}");
}
