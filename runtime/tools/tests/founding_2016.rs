//! The sentences that the texts of 2016 have about a runtime and that no other test shows: a
//! program with a tool of either variant in it compares events and answers with its own actions, by
//! each compiler. docs/founding/ompt-2016.md names the sentences.

mod runtime;
mod support;

use runtime::{build, run};
use std::path::Path;
use support::compilers;

const VARIANTS: [(&str, &[&str]); 2] = [("data", &[]), ("ids", &["-DOMPT_2016_IDS"])];

/// Runs one check under each compiler and variant, with variables. Returns both outputs.
fn check_with(what: &str, variables: &[(&str, &Path)]) -> Vec<(String, String)> {
    let mut said = Vec::new();
    for (variant, flags) in VARIANTS {
        for compiler in compilers() {
            let mut all = vec!["-ldl", "-pthread", "-rdynamic", "-Wno-unused-function"];
            all.extend_from_slice(flags);
            let name = format!("founding-2016-{variant}-{compiler}");
            let binary = build(compiler, "founding/program_2016", &name, &all);
            let result = run(&binary, &[what], variables);
            let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
            assert!(result.status.success(), "{name} {what} {variables:?}: {stderr}");
            said.push((String::from_utf8_lossy(&result.stdout).into_owned(), stderr));
        }
    }
    said
}

fn check(what: &str) -> Vec<(String, String)> {
    check_with(what, &[])
}

/// The tool is asked once, and started with the arguments of the text, before the first construct;
/// it looks names up and registers callbacks.
#[test]
fn how_a_tool_is_started() {
    for value in ["enabled", " ENABLED ", "Enabled\t"] {
        check_with("starting", &[("OMP_TOOL", Path::new(value))]);
    }
    check_with("starting", &[("OMPHALOS_DEVICES", Path::new("host:2"))]);
    check("starting");
}

/// The same holds for routines that need nothing of the runtime.
#[test]
fn no_routine_completes_before_the_initializer() {
    for routine in 0.. {
        let number = routine.to_string();
        let said = check_with("routine", &[("ROUTINE", Path::new(&number))]);
        if said.iter().all(|(stdout, _)| stdout == "all\n") {
            assert!(routine > 10);
            break;
        }
    }
}

#[test]
fn switched_off_it_is_not_asked() {
    for value in ["disabled", " Disabled", "DISABLED\t"] {
        check_with("off", &[("OMP_TOOL", Path::new(value))]);
    }
}

#[test]
fn who_declines_is_not_started() {
    check("declined");
}

/// The tool is asked before the environment is read, so that the variables that it sets count. It
/// may call routines.
#[test]
fn a_tool_is_asked_first() {
    check("environment");
    check("asking");
}

#[test]
fn threads() {
    check("threads");
}

#[test]
fn regions_and_their_tasks() {
    check("regions");
}

#[test]
fn idle_workers() {
    check("idle");
}

#[test]
fn explicit_tasks() {
    check("tasks");
}

#[test]
fn dependences_that_block() {
    check("pairs");
}

#[test]
fn worksharing() {
    check("worksharing");
}

#[test]
fn synchronization() {
    check("sync");
}

#[test]
fn mutexes_and_locks() {
    check("mutexes");
}

#[test]
fn states_of_waits_for_mutexes() {
    check("at_mutexes");
}

#[test]
fn states_at_barriers_and_without_work() {
    check("at_barriers");
}

#[test]
fn states_of_waits_for_tasks() {
    check("at_tasks");
}

#[test]
fn states_that_are_enumerated() {
    check("states");
}

#[test]
fn frames() {
    check("frames");
}

/// The runtime's frames are those between a task's exit_frame and the next one's enter_frame.
#[test]
fn stacks_without_the_runtime() {
    for (stacks, _) in check("stack") {
        let lines: Vec<&str> = stacks.lines().collect();
        assert_eq!(
            lines,
            ["leaf|>tasks|>region>main", "leaf>tasks|>region>main", "leaf>region>main"]
        );
    }
}

/// Every inquiry in a signal handler.
#[test]
fn inquiries_from_signal_handlers() {
    check("sampled");
}

#[test]
fn the_program_talks_to_its_tool() {
    check("control");
}

/// GCC's code calls the runtime for them.
#[test]
fn target_constructs() {
    check("targets");
}

/// On a device that the host plays, in GCC's code.
#[test]
fn target_operations() {
    check_with("operations", &[("OMPHALOS_DEVICES", Path::new("host:1"))]);
}

#[test]
fn names_of_threads_regions_and_tasks() {
    check("ids");
}

/// Each worker ends, once, before the runtime's end is reported to the tool.
#[test]
fn the_end() {
    for (_, stderr) in check("ending") {
        assert_eq!(stderr, "end 1: 2 of 2 workers\n");
    }
}
