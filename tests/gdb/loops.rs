//! `omp loop`, `omp team` and `omp tr`: the construct that the selected thread is in.

use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{paths, suite};

use crate::debugger::{Debugger, batch, holds, line, program, says};

const C: &str = "loops.c";

pub fn tests() -> Vec<Trial> {
    let mut tests = Vec::new();
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for debugger in [Debugger::Gdb, Debugger::Lldb] {
            for level in ["-O0", "-O2"] {
                let name = format!("loops::{}::{}{level}", debugger.name(), compiler.name());
                tests.push(suite::test(name, move || loops(debugger, compiler, level)));
            }
        }
    }
    tests
}

/// The output for each construct in turn. gcc passes the program's own numbers to the runtime, and
/// its dynamic loops have one counter; clang counts from 0, and its code shares out sections like a
/// static loop.
fn said_of_each(compiler: Compiler, level: &str) -> Vec<Vec<&'static str>> {
    let gcc = compiler == Compiler::Gcc;
    let (dynamic, left) = match gcc {
        true => (
            "a loop: schedule(dynamic, 4), 1000 iterations: 0 to 999 in steps of 1",
            "496 iterations are not taken yet",
        ),
        false => (
            "a loop: schedule(nonmonotonic: dynamic, 4), 1000 iterations: 0 to 999 in steps of 1",
            "996 iterations are not taken yet",
        ),
    };
    let ordered = match gcc {
        true => "schedule(dynamic, 4), ordered, 50 iterations: 100 to 2 in steps of -2",
        false => "schedule(dynamic, 4), ordered, 50 iterations: 0 to 49 in steps of 1",
    };
    let turn = match gcc {
        true => "1: thread 1  in it, has 4 iterations: 100 to 94  ",
        false => "1: thread 1  in it, has 4 iterations: 0 to 3  ",
    };
    let chosen = match gcc {
        true => "a loop: schedule(static), 30 iterations: 10 to 97 in steps of 3",
        false => "a loop: schedule(static), 30 iterations: 0 to 29 in steps of 1",
    };
    let share = match gcc {
        true => "1: thread 1  in it, has 15 iterations: 55 to 97  ",
        false => "1: thread 1  in it, has 15 iterations: 15 to 29  ",
    };
    let alone = "in no loop that the runtime hands out";
    let own = match (gcc, level) {
        (false, "-O0") => "of the iterations, counted from 0, it has 15 to 29 and is in 17",
        (false, _) => "thread 1 is in ",
        _ => alone,
    };
    let sections = match gcc {
        true => vec!["sections: 2 sections", "    1 section is not taken yet"],
        false => vec![alone],
    };
    vec![
        vec![dynamic, left, "0: thread 0  not in it: "],
        vec!["a loop: schedule(guided, 1), 1000 iterations: ", "750 iterations are not taken yet"],
        vec![ordered, "46 iterations are not taken yet", turn],
        vec![chosen, share],
        vec![own],
        sections,
    ]
}

fn loops(debugger: Debugger, compiler: Compiler, level: &str) -> Result<(), String> {
    let binary = program(C, compiler, level)?;
    let path = binary.to_str().ok_or("a strange path")?;
    let place = line(C, "stops");
    let (stop, schedule) = match debugger {
        Debugger::Gdb => (format!("break {C}:{place}"), "set environment OMP_SCHEDULE=static"),
        Debugger::Lldb => (
            format!("breakpoint set --file {C} --line {place}"),
            "settings set target.env-vars OMP_SCHEDULE=static",
        ),
    };
    let folder = format!("loops-core-{}-{}{level}", debugger.name(), compiler.name());
    let core = paths::scratch(&folder).join("core");
    let save = format!("gcore {}", core.display());
    let each = said_of_each(compiler, level);
    let mut commands = vec![schedule, stop.as_str(), "run", "omp loop", "omp team"];
    if debugger == Debugger::Gdb {
        commands.push(&save);
    }
    for _ in 1..each.len() {
        commands.extend(["continue", "omp loop"]);
    }
    commands.extend(["continue", "omp tr", "omp loop 3"]);
    let said = says(&mut batch(debugger, &[path], &commands)?)?;
    let mut shown: Vec<String> = each.concat().into_iter().map(str::to_owned).collect();
    let region = line(C, "region");
    let stands = format!("1: thread 1  work_parallel  main [parallel] at loops.c:{place}");
    shown.extend([
        format!("region in main at {C}:{region}: level 1, a team of 2"),
        format!("explicit task, executing, ..made in ..{C}:{}", line(C, "task")),
        format!("made by ..implicit task, suspended, made in main at {C}:{region}"),
        "made by ..initial task, suspended".to_owned(),
        "omp: omp loop takes no arguments: 3".to_owned(),
    ]);
    if level == "-O0" {
        shown.push(stands.replace("main [parallel]", "work"));
    }
    holds(&said, &shown)?;
    if debugger == Debugger::Lldb {
        return Ok(());
    }
    // The same of a core.
    let (left, _) = each[0][1].split_once(' ').ok_or("no number")?;
    let mut inspect = Command::new(paths::dist().join("bin/omphalos"));
    inspect.arg("inspect").arg("--core").arg(&core).arg(path);
    holds(
        &says(&mut inspect)?,
        &[format!(
            "in a loop with schedule(dynamic, 4): 1000 iterations, {left} of them not taken yet"
        )],
    )?;
    let core = core.to_str().ok_or("a strange path")?;
    let commands = ["omp threads", "thread 1", "omp loop", "thread 2", "omp loop", "omp team"];
    holds(
        &says(&mut batch(debugger, &[path, core], &commands)?)?,
        &[
            each[0][0].to_owned(),
            "thread 0 is in no loop that the runtime hands out".to_owned(),
            format!("region in main at {C}:{region}: level 1, a team of 2"),
        ],
    )
}
