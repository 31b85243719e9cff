//! OMPT of 2013 to the letter: programs that have their own tool of that generation, each for some
//! sentences of its text (docs/founding/ompt-2013.md). A program prints the sentences that do not
//! hold.

mod runtime;
mod support;

use runtime::{build, directory, run};
use std::path::Path;
use support::compilers;

/// The output of a program, by each compiler.
fn said(program: &str, extra: &[&str], variables: &[(&str, &Path)]) -> Vec<(&'static str, String)> {
    let library = format!("-L{}", directory().display());
    let flags = [&library, "-lomp", "-latomic", "-ldl", "-Wno-unused-function"];
    let flags = [&flags, extra].concat();
    let one = |compiler| {
        let name = format!("founding-{program}{}-{compiler}", extra.concat());
        let binary = build(compiler, &format!("founding_2013/{program}"), &name, &flags);
        let result = run(&binary, &[], variables);
        let text =
            String::from_utf8_lossy(&result.stdout) + String::from_utf8_lossy(&result.stderr);
        assert!(result.status.success(), "{program}, {compiler}: {:?} {text}", result.status);
        (compiler, text.into_owned())
    };
    compilers().into_iter().map(one).collect()
}

/// Each program says one line in the end, if all holds.
fn holds(program: &str) {
    for (compiler, text) in said(program, &[], &[]) {
        assert_eq!(text, "it holds\n", "{program}, {compiler}");
    }
}

#[test]
fn threads() {
    holds("threads");
}

#[test]
fn regions() {
    holds("regions");
}

#[test]
fn tasks() {
    holds("tasks");
}

#[test]
fn implicit() {
    holds("implicit");
}

#[test]
fn control() {
    holds("control");
}

#[test]
fn idle() {
    holds("idle");
}

#[test]
fn waits() {
    holds("waits");
}

#[test]
fn tasks_in_waits() {
    holds("tasks_in_waits");
}

#[test]
fn locks() {
    holds("locks");
}

#[test]
fn mutexes() {
    holds("mutexes");
}

#[test]
fn worksharing() {
    holds("worksharing");
}

#[test]
fn in_line() {
    holds("in_line");
}

#[test]
fn constructs() {
    holds("constructs");
}

#[test]
fn states() {
    holds("states");
}

#[test]
fn words() {
    holds("words");
}

#[test]
fn levels() {
    holds("levels");
}

#[test]
fn frames() {
    holds("frames");
}

#[test]
fn storm() {
    holds("storm");
}

#[test]
fn frames_stay() {
    holds("frames_stay");
}

#[test]
fn single() {
    holds("single");
}

#[test]
fn versions() {
    holds("versions");
}

/// `OMPT_INITIALIZE`, with a tool that wants to run, with one that does not, and without any.
#[test]
fn trivial_answers() {
    let nothing = "before 0, started 0, told 0, late 0, state 0x60, id no, data no\n";
    let declined = "before 0, started 1, told 0, late 0, state 0x60, id no, data no\n";
    let inquiries = "before 0, started 0, told 0, late 0, state 0x1, id yes, data yes\n";
    let declined_inquiries = "before 0, started 1, told 0, late 0, state 0x1, id yes, data yes\n";
    let all = "before 0, started 1, told 1, late 3, state 0x1, id yes, data yes\n";
    let (none, unwilling, willing): (&[&str], &[&str], &[&str]) =
        (&[], &["-DTOOL=0"], &["-DTOOL=1"]);
    for (tool, value, expected) in [
        (none, "", nothing),
        (none, "disable", nothing),
        (none, "false", nothing),
        (none, "true", inquiries),
        (unwilling, "", declined),
        (unwilling, "disable", nothing),
        (unwilling, "false", nothing),
        (unwilling, "true", declined_inquiries),
        (willing, "", all),
        (willing, "disable", nothing),
        (willing, "false", nothing),
        (willing, "true", all),
    ] {
        let set = [("OMPT_INITIALIZE", Path::new(value))];
        let variables: &[(&str, &Path)] = if value.is_empty() { &[] } else { &set };
        for (compiler, text) in said("trivial", tool, variables) {
            assert_eq!(text, expected, "{compiler}, {tool:?}, {value:?}");
        }
    }
}
