//! The sentences of the founding documents, where later OpenMP versions say something else or
//! nothing: each program is a tool or a client that was written from one document alone, and states
//! its findings line by line (`c/programs/founding/says.h`).

mod runtime;
mod support;

use runtime::{build, directory, run};
use std::path::Path;
use support::{compilers, tool};

/// Runs one of the programs. Returns the lines in which it says that something is right. It says
/// nothing else.
fn says(compiler: &str, program: &str, flags: &[&str], variables: &[(&str, &Path)]) -> Vec<String> {
    let folder = format!("-L{}", directory().display());
    let mut all = vec!["-fno-omit-frame-pointer", "-Wno-unused-function"];
    all.extend_from_slice(flags);
    all.extend_from_slice(&[&folder, "-l:libomp.so.5", "-ldl"]);
    let name = format!("founding-{program}-{compiler}");
    let binary = build(compiler, &format!("founding/{program}"), &name, &all);
    let result = run(&binary, &[], variables);
    let stdout = String::from_utf8_lossy(&result.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(result.status.success(), "{name}: {:?}\n{stdout}{stderr}", result.status);
    let wrong: Vec<&str> = stdout.lines().filter(|line| line.starts_with("WRONG")).collect();
    assert!(wrong.is_empty(), "{name}: {wrong:#?}\n{stderr}");
    let right: Vec<String> =
        stdout.lines().filter_map(|line| line.strip_prefix("ok ")).map(String::from).collect();
    assert!(!right.is_empty(), "{name} says nothing: {stdout}{stderr}");
    right
}

/// The program under each compiler; nothing is wrong.
fn holds(program: &str) {
    for compiler in compilers() {
        says(compiler, program, &[], &[]);
    }
}

#[test]
fn an_exit_frame_of_2013_is_set_once_and_stays() {
    holds("frames_2013");
}

#[test]
fn an_enter_frame_of_2016_is_the_callers_frame_pointer() {
    holds("frames_2016");
}

#[test]
fn an_undeferred_task_of_2016_has_its_dependences() {
    holds("depend_2016");
}

#[test]
fn waits_of_2016_have_their_arguments_and_states() {
    holds("waits_2016");
}

#[test]
fn a_discarded_task_of_2016_is_outside_of_the_wait() {
    for compiler in compilers() {
        says(compiler, "cancelled_2016", &[], &[("OMP_CANCELLATION", Path::new("true"))]);
    }
}

#[test]
fn a_single_of_2013_ends_behind_its_block() {
    holds("single_2013");
}

#[test]
fn a_single_of_2007_ends_with_its_own_barrier() {
    holds("single_2007");
}

/// A tool that another one starts runs once; and a tool of 2016 that takes identifiers by value is
/// known by its header.
#[test]
fn a_tool_of_2016_that_hands_on_starts_the_next_one() {
    let second = tool("gcc", "older/chain.c", "chain-second.so", &["-ldl"]);
    let first = tool("gcc", "older/chain.c", "chain-first.so", &["-DFIRST", "-ldl"]);
    let both = format!("{}:{}", first.display(), second.display());
    let binary = build("gcc", "tasks", "tasks-chain", &[]);
    for (tools, firsts) in [(both.as_str(), 1), (second.to_str().unwrap(), 0)] {
        let variables =
            [("LD_PRELOAD", Path::new(tools)), ("OMP_TOOL_VERBOSE_INIT", Path::new("stderr"))];
        let result = run(&binary, &[], &variables);
        let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
        assert!(result.status.success(), "{stderr}");
        let times = |what: &str| stderr.lines().filter(|line| line.starts_with(what)).count();
        assert_eq!((times("chain: first"), times("chain: second")), (firsts, 1), "{stderr}");
        let last = stderr.lines().find(|line| line.starts_with("chain: regions="));
        assert!(last.is_some_and(|line| line.ends_with(" wrong=0")), "{stderr}");
        assert_eq!(times("chain: regions="), 1, "{stderr}");
        assert_eq!(stderr.matches("was started by another tool").count(), firsts, "{stderr}");
        assert_eq!(stderr.matches("uses OMPT of 2016-ids").count(), 1, "{stderr}");
    }
}

#[test]
fn a_forked_child_asks_its_tool_again() {
    for compiler in compilers() {
        says(compiler, "forks", &[], &[]);
    }
}

#[test]
fn a_forked_child_asks_its_tool_of_2013_again() {
    for compiler in compilers() {
        says(compiler, "forks", &["-DOF_2013"], &[]);
    }
}

#[test]
fn target_constructs_of_2016() {
    holds("target_2016");
    let devices = [("OMPHALOS_DEVICES", Path::new("host"))];
    says("gcc", "target_2016", &[], &devices);
}
