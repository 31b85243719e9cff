//! The sentences of the founding documents, where later OpenMP versions say something else or
//! nothing: each program is a tool or a client that was written from one document alone, and says
//! line by line what it finds (`c/programs/founding/says.h`).

mod runtime;
mod support;

use runtime::{build, directory, run};
use std::path::Path;
use support::compilers;

/// Runs one of the programs; the lines in which it says what is right. There is none that says what
/// is wrong.
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
fn a_single_of_2013_ends_behind_its_block() {
    holds("single_2013");
}

#[test]
fn a_single_of_2007_ends_with_its_own_barrier() {
    holds("single_2007");
}
