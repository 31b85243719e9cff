//! Steps in functions that call themselves, over the runtime's own functions, and out of regions.

use std::collections::BTreeSet;
use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{paths, suite};

use crate::debugger::{Debugger, Running, batch, holds, in_time, line, program, says};

const C: &str = "calls.c";

pub fn tests() -> Vec<Trial> {
    let mut tests = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for debugger in [Debugger::Gdb, Debugger::Lldb] {
            let name = format!("calls::{}::{}", debugger.name(), compiler.name());
            tests.push(suite::test(name, move || calls(debugger, compiler)));
            let name = format!("calls::nested::{}::{}", debugger.name(), compiler.name());
            tests.push(suite::test(name, move || nested(debugger, compiler)));
        }
    }
    tests
}

/// Returns a command that stops once at a marked line; the breakpoint is gone then. In the tree
/// only the root stops, since the other thread may come to the line of a subtree first.
fn once(debugger: Debugger, mark: &str) -> String {
    let line = line(C, mark);
    let is_root = mark == "taskwait";
    match debugger {
        Debugger::Gdb => {
            format!("tbreak {C}:{line}{}", if is_root { " if n == 6" } else { "" })
        }
        Debugger::Lldb => {
            let root = if is_root { " --condition 'n == 6'" } else { "" };
            format!("breakpoint set --one-shot true --file {C} --line {line}{root}")
        }
    }
}

fn calls(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    let binary = program(C, compiler, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let go = |mark: &str, then: &[&str]| {
        let stop = once(debugger, mark);
        let mut commands = vec![stop.as_str(), "run"];
        commands.extend(then);
        let said = says(&mut batch(debugger, &[path], &commands)?)?;
        // The runtime's own functions must not be shown.
        match said.lines().find(|line| line.contains("omphalos_") || line.contains("Traceback")) {
            Some(line) => Err(format!("{line} in\n{said}")),
            None => Ok(said),
        }
    };
    let at = |mark: &str| format!("calls.c:{}", line(C, mark));
    // The tasks that the thread executes meanwhile wait at the same place: the step must not stop
    // in them.
    let said = go("taskwait", &["omp next", "omp bt 1"])?;
    holds(&said, &[format!("#0 ..tree (n=6) at {}", at("behind taskwait"))])?;
    // Into the section and past it; no hook stays for the calls inside.
    let steps = [&["omp next", "omp next", "omp step", "omp bt 1"][..], &["omp next"; 3]].concat();
    let said = go("deep starts", &[&steps[..], &["omp bt 1"]].concat())?;
    let shown = [
        format!("#0 ..deep (n=4) at {}", at("in critical")),
        format!("#0 ..deep (n=4) at calls.c:{}", line(C, "behind critical") + 1),
    ];
    holds(&said, &shown)?;
    // Over the line's calls of the runtime, and out of the region.
    let out = ["omp step", "omp bt 1", "omp step", "omp bt 1"];
    let said = go("asks", &out)?;
    holds(&said, &["#0 ..main [parallel] ..calls.c:".to_owned()])?;
    holds(&said, &[format!("#0 ..main () at {}", at("behind region"))])?;
    // A construct that the program does not have is reported when the program has ended.
    let said = says(&mut batch(debugger, &[path], &["omp break ordered", "run", "omp threads"])?)?;
    holds(&said, &["omp: ordered: no place was found in this run".to_owned()])
}

/// Tests that each worker's stack continues where its own region was encountered, though the same
/// call encountered others.
fn nested(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    let binary = program("nested.c", compiler, "-O0")?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    // Collects the numbers of regions in the stacks.
    let depths = |said: String| {
        let stacks = said.split("\n\n").map(|stack| stack.matches(" [parallel").count());
        let each: BTreeSet<usize> = stacks.filter(|regions| *regions > 0).collect();
        format!("{each:?}\n{said}")
    };
    let expected = ["{1, 2, 3}".to_owned()];
    let ask = || Ok(depths(says(&mut batch(debugger, &["-p", &pid], &["omp bt all"])?)?));
    in_time(ask, &expected)?;
    let said = says(Command::new(paths::omphalos()).args(["inspect", &pid]))?;
    holds(&depths(said), &expected)
}
