//! Programs that wait for another process: the answer includes that process too.

use std::process::Command;
use std::time::Instant;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths};

use super::{LIMIT, build, names, start, until_said};

/// Tests a program that waits for the end of a child, which hangs.
pub fn hangs() -> Result<(), String> {
    both_are_said("hangs.c", &[], &["held when this process was forked"])
}

/// Tests a program that waits at a pipe whose other end a child keeps.
pub fn keeps_end() -> Result<(), String> {
    let own = ["What it reads has an end only when nobody can write there any more: process "];
    both_are_said("keeps_end.c", &own, &["in the system call pause"])
}

/// Tests a process-shared mutex whose holder, a process, has ended. The parent waits for any child.
pub fn exits_locked() -> Result<(), String> {
    let words = [
        "which processes share and which LWP ",
        " held when it ended: nobody can give it back.\n",
        "post may end its process at exits_locked.c:",
        " while it holds what it takes at exits_locked.c:23.",
    ];
    both_are_said("exits_locked.c", &["a child process (process "], &words)
}

const CIRCLE: &str = "wait for each other: each holds the lock of a file";

/// Tests two processes of which each waits for the lock of a file that the other one holds.
pub fn crossed_locks() -> Result<(), String> {
    let source = paths::tests().join("hangs/children/crossed.c");
    until_said(CIRCLE, &start(&build(Compiler::Gcc, &source, "")?, &[])?)
}

/// The number of looks at two processes that take turns at a lock.
const LOOKS_AT_TURNS: u32 = 6;

/// Tests two processes that take turns at the lock of a file: no look shows a circle.
pub fn locks_in_turn() -> Result<(), String> {
    let source = paths::tests().join("hangs/children/in_turn.c");
    let running = start(&build(Compiler::Gcc, &source, "")?, &[])?;
    for _ in 0..LOOKS_AT_TURNS {
        let mut inspect = Command::new(paths::omphalos());
        inspect.args(["why"]).arg(running.subject.to_string());
        let said = exec::run(&mut inspect)?.stdout;
        let sleeps = said.matches("sleeps in the system call flock").count();
        if said.contains(CIRCLE) || sleeps > 1 {
            return Err(format!("healthy processes are accused:\n{said}"));
        }
    }
    Ok(())
}

/// Checks that the answer names the line of the parent and that of the child, and that each one's
/// part has these words.
fn both_are_said(name: &str, of_parent: &[&str], of_child: &[&str]) -> Result<(), String> {
    let source = paths::tests().join("hangs/children").join(name);
    let text = std::fs::read_to_string(&source).map_err(|e| e.to_string())?;
    let marked = |mark: &str| (1..).zip(text.lines()).find(|(_, line)| line.contains(mark));
    let [waits, wants] = ["<A>", "<B>"].map(|mark| marked(mark).map_or(0, |(line, _)| line));
    let running = start(&build(Compiler::Gcc, &source, "")?, &[])?;
    let begun = Instant::now();
    loop {
        let mut inspect = Command::new(paths::omphalos());
        inspect.args(["why"]).arg(running.subject.to_string());
        let output = exec::run(&mut inspect)?;
        let said = output.stdout;
        let own = said.split("\nprocess ").collect::<Vec<_>>();
        if let [parent, child] = own[..]
            && names(parent, name, waits)
            && names(child, name, wants)
            && of_parent.iter().all(|words| parent.contains(words))
            && of_child.iter().all(|words| child.contains(words))
        {
            return Ok(());
        }
        if begun.elapsed() > LIMIT {
            return Err(format!("not both processes:\n{said}"));
        }
    }
}
