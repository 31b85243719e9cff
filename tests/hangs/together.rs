//! Several users look into one process at the same time: each of them gets an answer.

use std::thread;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;
use serde_json::Value;

use super::{ask, build, expected, findings, is_right, start};

const PEOPLE: usize = 5;
const LOOKS: usize = 6;

/// Tests simultaneous looks. A thread can have only one tracer at a time, so the other looks wait
/// their turn.
pub fn looks_at_once() -> Result<(), String> {
    let expected = expected(&paths::tests().join("hangs/lock_cycle.c"))?;
    for looks in looks_of_people("lock_cycle.c")? {
        if !looks.iter().any(|seen| is_right(findings(seen), &expected, "lock_cycle.c")) {
            return Err("the cycle was not found in any of the looks".to_owned());
        }
    }
    Ok(())
}

/// Tests that another look's stop is no state of the program's threads.
pub fn looks_at_a_sleeper() -> Result<(), String> {
    let looks = looks_of_people("healthy_sleeps.c")?.concat();
    let is_traced = |thread: &Value| thread["os"]["state"] == "t";
    let threads =
        |seen: &Value| seen["snapshot"]["threads"].as_array().cloned().unwrap_or_default();
    match looks.iter().find(|seen| threads(seen).iter().any(is_traced)) {
        None => Ok(()),
        Some(seen) => Err(format!("another look's stop is in it: {seen:#}")),
    }
}

/// Several people look at one process at the same time. Returns the looks of each.
fn looks_of_people(source: &str) -> Result<Vec<Vec<Value>>, String> {
    let source = paths::tests().join("hangs").join(source);
    let running = start(&build(Compiler::Gcc, &source, "")?, &[])?;
    let person = || (0..LOOKS).map(|_| Ok(ask(running.subject)?.0)).collect();
    thread::scope(|scope| {
        let people: Vec<_> = (0..PEOPLE).map(|_| scope.spawn(person)).collect();
        people.into_iter().map(|one| one.join().expect("no panic")).collect()
    })
}
