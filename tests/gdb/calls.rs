//! Steps in functions that call themselves, over the runtime's own ones, and out of regions.

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

/// Stops once at a marked line; the breakpoint is gone then. Of the tree only its root stops: the
/// other thread may come to the line of a subtree first.
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
        // The runtime's own functions are nobody's business.
        match said.lines().find(|line| line.contains("omphalos_") || line.contains("Traceback")) {
            Some(line) => Err(format!("{line} in\n{said}")),
            None => Ok(said),
        }
    };
    let at = |mark: &str| format!("calls.c:{}", line(C, mark));
    // The tasks that the thread executes meanwhile wait at the same place.
    let said = go("taskwait", &["omp next", "omp bt 1"])?;
    holds(&said, &[format!("#0 ..tree (n=6) at {}", at("behind taskwait"))])?;
    // Into the section and behind it, and no hook is left for the calls inside.
    let steps = [&["omp next", "omp next", "omp step", "omp bt 1"][..], &["omp next"; 3]].concat();
    let said = go("deep starts", &[&steps[..], &["omp bt 1"]].concat())?;
    let shown = [
        format!("#0 ..deep (n=4) at {}", at("in critical")),
        format!("#0 ..deep (n=4) at calls.c:{}", line(C, "behind critical") + 1),
    ];
    holds(&said, &shown)?;
    // Over what the line asks the runtime, and out of the region.
    let out = ["omp step", "omp bt 1", "omp step", "omp bt 1"];
    let said = go("asks", &out)?;
    holds(&said, &["#0 ..main [parallel] ..calls.c:".to_owned()])?;
    holds(&said, &[format!("#0 ..main () at {}", at("behind region"))])?;
    // What the program has none of is said when it has ended.
    let said = says(&mut batch(debugger, &[path], &["omp break ordered", "run", "omp threads"])?)?;
    holds(&said, &["omp: ordered: no place was found in this run".to_owned()])
}

/// Each worker's stack goes on where its own region was encountered, though the same call
/// encountered others.
fn nested(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    let binary = program("nested.c", compiler, "-O0")?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    // How many regions the stacks have.
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
