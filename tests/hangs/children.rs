//! A program that waits for the end of a child which hangs: the answer goes on with the child's.

use std::process::Command;
use std::time::Instant;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths};

use super::{LIMIT, build, names, start};

pub fn hangs() -> Result<(), String> {
    let source = paths::tests().join("hangs/children/hangs.c");
    let text = std::fs::read_to_string(&source).map_err(|e| e.to_string())?;
    let marked = |mark: &str| (1..).zip(text.lines()).find(|(_, line)| line.contains(mark));
    let [waits, wants] = ["<A>", "<B>"].map(|mark| marked(mark).map_or(0, |(line, _)| line));
    let running = start(&build(Compiler::Gcc, &source, "")?, &[])?;
    let begun = Instant::now();
    loop {
        let mut inspect = Command::new(paths::omphalos());
        inspect.args(["inspect", "--why"]).arg(running.subject.to_string());
        let output = exec::run(&mut inspect)?;
        let said = output.stdout;
        let own = said.split("\nprocess ").collect::<Vec<_>>();
        if let [parent, child] = own[..]
            && names(parent, "hangs.c", waits)
            && names(child, "hangs.c", wants)
            && child.contains("held when it ended")
        {
            return Ok(());
        }
        if begun.elapsed() > LIMIT {
            return Err(format!("not both processes:\n{said}"));
        }
    }
}
