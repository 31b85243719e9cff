//! Several users look into one process at the same time: each of them gets an answer.

use std::thread;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::paths;

use super::{ask, build, expected, findings, is_right, start};

const PEOPLE: usize = 3;
const LOOKS: usize = 6;

/// Tests simultaneous looks. A thread can have only one tracer at a time, so the other looks wait
/// their turn.
pub fn looks_at_once() -> Result<(), String> {
    let source = paths::tests().join("hangs/lock_cycle.c");
    let expected = expected(&source)?;
    let running = start(&build(Compiler::Gcc, &source, "")?, &[])?;
    let person = || -> Result<bool, String> {
        let mut was_right = false;
        for _ in 0..LOOKS {
            let (seen, _) = ask(running.subject)?;
            was_right |= is_right(findings(&seen), &expected, "lock_cycle.c");
        }
        Ok(was_right)
    };
    let answers: Vec<_> = thread::scope(|scope| {
        let people: Vec<_> = (0..PEOPLE).map(|_| scope.spawn(person)).collect();
        people.into_iter().map(|one| one.join().expect("no panic")).collect()
    });
    for answer in answers {
        if !answer? {
            return Err("the cycle was not found in any of the looks".to_owned());
        }
    }
    Ok(())
}
