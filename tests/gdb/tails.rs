//! Functions that called their region by a jump, and so have no frame: stacks show them all the
//! same.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths, suite};

use crate::debugger::{Debugger, Running, batch, holds, in_time, line, program, says};

const C: &str = "tails.c";

pub fn tests() -> Vec<Trial> {
    let mut tests = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for debugger in [Debugger::Gdb, Debugger::Lldb] {
            let name = format!("tails::{}::{}", debugger.name(), compiler.name());
            tests.push(suite::test(name, move || tails(debugger, compiler)));
        }
    }
    for debugger in [Debugger::Gdb, Debugger::Lldb] {
        for compiler in [Compiler::Gcc, Compiler::Clang] {
            let name = format!("tails::merged::{}::{}", debugger.name(), compiler.name());
            tests.push(suite::test(name, move || merged(debugger, compiler)));
        }
    }
    tests
}

/// Tests two branches that each end in a region, for which the compiler made one common call: the
/// body tells which region it is.
fn merged(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    const C: &str = "merged.c";
    let binary = program(C, compiler, "-O2")?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    // Compilers do not agree whether the call is on the directive's line or the one before: the
    // last digit is left out, as in `region`.
    let region = line(C, "second region") / 10;
    let shown = [
        format!("work [parallel]..at merged.c:{}", line(C, "in the second")),
        format!("work [thread ..at merged.c:{region}"),
        format!("main [thread ..at merged.c:{}", line(C, "calls work")),
    ];
    in_time(|| says(&mut batch(debugger, &["-p", &pid], &["omp bt all"])?), &shown)?;
    let mut inspect = Command::new(paths::omphalos());
    let said = exec::run(inspect.args(["inspect", &pid]))?;
    let shown = [
        format!("in the region at merged.c:{region}..in work"),
        format!("work [parallel] at merged.c:{}", line(C, "in the second")),
        format!("#2  work at merged.c:{region}"),
    ];
    holds(&said.stdout, &shown)
}

/// Returns the line of the region without its last digit. Compilers do not agree on the line of the
/// jump, between the function's head and the region; all of these lines begin with the same digits.
fn region() -> usize {
    line(C, "region") / 10
}

fn tails(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    let binary = program(C, compiler, "-O2")?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    let shown = [
        format!("deep..at tails.c:{}", line(C, "sleeps")),
        format!("work [parallel]..at tails.c:{}", line(C, "calls deep")),
        // The worker's stack, and that of the thread that waits for it.
        format!("work [thread ..at tails.c:{}", region()),
        format!("main [thread ..at tails.c:{}", line(C, "calls work")),
        "barrier at the end of the region: waits for 1".into(),
        format!("work ..tails.c:{}", region()),
        format!("main ..at tails.c:{}", line(C, "calls work")),
    ];
    let commands = ["omp threads", "omp bt all"];
    in_time(|| says(&mut batch(debugger, &["-p", &pid], &commands)?), &shown).map(drop)
}
