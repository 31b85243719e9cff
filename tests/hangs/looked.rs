//! A look leaves nothing of itself in the program.

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;

use super::{ask, build, start, until_said};

/// The number of looks before the program reports what it noticed.
const LOOKS: u32 = 3;

/// Tests that a look ends no call of the program's.
pub fn no_call_ends_by_a_look() -> Result<(), String> {
    let source = paths::tests().join("hangs/looked/calls.c");
    let mut running = start(&Compiler::Gcc.compile(&source, &[])?, &[])?;
    for _ in 0..LOOKS {
        ask(running.subject)?;
    }
    drop(running.child.stdin.take());
    let status = running.child.wait().map_err(|e| e.to_string())?;
    match status.code() {
        Some(0) => Ok(()),
        Some(103) => Err("a call with a time was never over".to_owned()),
        Some(more) => Err(format!("{more} calls ended by a look")),
        None => Err(format!("{status}")),
    }
}

/// Tests a loop that asks a deferred `std::future`. The code of clang's loop does not show the
/// future's state.
pub fn deferred_future() -> Result<(), String> {
    let source = paths::tests().join("hangs/looked/polls_deferred.cpp");
    let words = "it looks at a std::future whose task is deferred (std::launch::deferred)";
    until_said(words, &start(&build(Compiler::Gxx, &source, "")?, &[])?)
}
