//! gdb's modes of moving threads, leagues of teams, and cores whose memory makes no sense.

use std::os::unix::fs::FileExt;
use std::path::Path;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{paths, suite};

use crate::debugger::{Debugger, Running, batch, holds, in_time, line, program, says, source};

const C: &str = "constructs.c";
const TEAMS: &str = "teams.c";

pub fn tests() -> Vec<Trial> {
    let mut tests = vec![
        suite::test("modes::non_stop", non_stop),
        suite::test("modes::locked", locked),
        suite::test("modes::corrupted", corrupted),
        suite::test("modes::many_stops", many_stops),
        suite::test("modes::unborn", unborn),
    ];
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        for debugger in [Debugger::Gdb, Debugger::Lldb] {
            let name = format!("modes::teams::{}::{}", debugger.name(), compiler.name());
            tests.push(suite::test(name, move || teams(debugger, compiler)));
        }
    }
    tests
}

/// Stops in a critical section in this mode, set before the program starts (`first`) or after, and
/// gives the other commands.
fn in_critical(mode: &str, first: bool, then: &[&str]) -> Result<String, String> {
    let binary = program(C, Compiler::Gcc, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let mut commands = vec!["omp break critical", "run"];
    commands.insert(if first { 0 } else { 2 }, mode);
    commands.extend(then);
    let said = says(&mut batch(Debugger::Gdb, &[path], &commands)?)?;
    if said.contains("Traceback") || said.contains("Python Exception") {
        return Err(said);
    }
    Ok(said)
}

/// Tests non-stop mode: one thread stands, and the others run. Those have a state but no stack.
fn non_stop() -> Result<(), String> {
    // gdb keeps its selected thread, which need not be the one that stopped.
    let choose = "python [t.switch() for t in gdb.selected_inferior().threads() if t.is_stopped()]";
    let then = [choose, "omp bt", "omp threads", "omp step", "kill"];
    let said = in_critical("set non-stop on", true, &then)?;
    let shown = [
        format!("#0 ..main [parallel] () at constructs.c:{}", line(C, "in critical")),
        "*..of 3, level 1..work_parallel..main [parallel]".to_owned(),
        "of 3, level 1..(runs)".to_owned(),
    ];
    holds(&said, &shown)
}

/// Tests that only the selected thread moves, as long as it needs no other.
fn locked() -> Result<(), String> {
    let then = ["omp next", "omp bt", "kill"];
    let said = in_critical("set scheduler-locking on", false, &then)?;
    let next = line(C, "in critical") + 1;
    holds(&said, &[format!("#0 ..main [parallel] () at constructs.c:{next}")])
}

/// Tests that threads which stop at one place again and again keep their registers: gdb 13 spoils
/// some when it steps over a breakpoint, unless it steps in place. A user's own choice is
/// respected.
fn many_stops() -> Result<(), String> {
    let binary = program("storm.c", Compiler::Gcc, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let go_on = "python [gdb.execute('continue', to_string=True) for _ in range(60)]";
    let commands = ["break GOMP_task", "run", go_on, "delete", "continue"];
    let said = says(&mut batch(Debugger::Gdb, &[path], &commands)?)?;
    holds(&said, &["sum 400".to_owned(), "exited normally".into()])?;
    let load = "python import omphalos.in_gdb as g; g._steps_in_place()";
    let chosen = ["set displaced-stepping on", load, "show displaced-stepping"];
    let said = says(&mut batch(Debugger::Gdb, &[], &chosen)?)?;
    holds(&said, &["displaced stepping to step over breakpoints is on.".to_owned()])
}

fn teams(debugger: Debugger, compiler: Compiler) -> Result<(), String> {
    let binary = program(TEAMS, compiler, "-O0")?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    let states = [
        "0 of 2, level 1..barrier at the end of the region: waits for 1..teams.c:".to_owned(),
        "1 of 2, level 0".to_owned(),
        format!(
            "1 of 2, level 1..work_parallel..main [parallel] at teams.c:{}",
            line(TEAMS, "stands")
        ),
    ];
    let attach = ["-p", &*pid];
    let commands = ["omp threads", "omp regions", "omp barriers", "omp tr"];
    let ask = || says(&mut batch(debugger, &attach, &commands)?);
    let said = in_time(ask, &states)?;
    let (region, league) = (line(TEAMS, "region"), line(TEAMS, "the league"));
    let league = format!("in main at teams.c:{league}");
    let expected = [
        format!("region in main at teams.c:{region}..a team of 2, in the teams construct {league}"),
        // An initial thread of the league whose team is done waits for the first one.
        format!("barrier (region) of the teams construct {league}: 1 of 2 threads have come"),
        format!("implicit task, executing, on thread 0, made in main at teams.c:{region}"),
        format!("made by..implicit task, suspended, made {league}"),
    ];
    holds(&said, &expected)?;
    match said.contains("an unknown place") {
        false => Ok(()),
        true => Err(said),
    }
}

/// Tests cores in which a few words are overwritten; `OMPHALOS_TEST_CORES` is their number, 2 by
/// default. No command ends with Python's own error messages.
fn corrupted() -> Result<(), String> {
    const COMMANDS: [&str; 14] = [
        "omp threads", "omp bt all", "omp regions", "omp tasks", "omp tasks graph", "omp icvs",
        "omp loop", "omp team", "omp tr", "thread 2", "omp locks", "omp barriers", "omp why",
        "thread apply all bt 3",
    ];
    let binary = program(TEAMS, Compiler::Gcc, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let core = paths::scratch("gdb-corrupted").join("core");
    let name = core.to_str().ok_or("a strange path")?;
    let running = Running::start(&binary)?;
    let (pid, save) = (running.pid(), format!("gcore {name}"));
    says(&mut batch(Debugger::Gdb, &["-p", &pid], &[&save])?)?;
    let words = words(&core)?;
    let file = std::fs::File::options().write(true).open(&core).map_err(|e| e.to_string())?;
    let put = |at: u64, value: u64| {
        file.write_all_at(&value.to_le_bytes(), at).map_err(|e| format!("{name}: {e}"))
    };
    let cores = std::env::var("OMPHALOS_TEST_CORES").map_or(Ok(2), |n| n.parse::<u64>());
    let mut dice = 11u64;
    let mut roll = || {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        dice >> 16
    };
    for time in 0..cores.map_err(|e| e.to_string())? {
        let count = [4, 40, 400, 4000][time as usize % 4];
        let mut before = Vec::new();
        for _ in 0..count {
            let (at, old) = words[roll() as usize % words.len()];
            let new = match roll() % 6 {
                0 => roll() | roll() << 48,
                1 => 0,
                2 => u64::MAX,
                3 => old ^ 1 << (roll() % 64),
                4 => old.wrapping_add(roll() % 4096),
                _ => words[roll() as usize % words.len()].1,
            };
            put(at, new)?;
            before.push((at, old));
        }
        let said = says(&mut batch(Debugger::Gdb, &[path, name], &COMMANDS)?)?;
        for wrong in ["Traceback", "Python Exception", "Error occurred in Python", "internal-error"]
        {
            if said.contains(wrong) {
                return Err(format!("core {time}: {wrong}:\n{said}"));
            }
        }
        for (at, old) in before {
            put(at, old)?;
        }
    }
    std::fs::remove_file(&core).map_err(|e| e.to_string())
}

/// Finds the words of a core that are not zero, in small pieces of writable memory (data and heaps,
/// no stacks): their places in the file, and their values.
fn words(core: &Path) -> Result<Vec<(u64, u64)>, String> {
    let data = std::fs::read(core).map_err(|e| format!("{}: {e}", core.display()))?;
    let number = |at: usize, bytes: usize| -> u64 {
        data[at..at + bytes].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
    };
    let (table, count) = (number(32, 8) as usize, number(56, 2) as usize);
    let mut found = Vec::new();
    for at in (0..count).map(|segment| table + 56 * segment) {
        let (kind, rights) = (number(at, 4), number(at + 4, 4));
        let (offset, size) = (number(at + 8, 8) as usize, number(at + 32, 8) as usize);
        if kind == 1 && rights & 2 != 0 && size <= 1 << 20 {
            let places = (offset..offset + size).step_by(8).filter(|at| at + 8 <= data.len());
            found.extend(places.map(|at| (at as u64, number(at, 8))).filter(|(_, old)| *old != 0));
        }
    }
    if found.is_empty() { Err("nothing to change in the core".into()) } else { Ok(found) }
}

/// Tests that a worker is idle whose thread has not yet come to the runtime's code.
fn unborn() -> Result<(), String> {
    let binary = Compiler::Gcc.compile(&source("unborn.c"), &["-D_GNU_SOURCE", "-rdynamic"])?;
    let running = Running::start(&binary)?;
    let (pid, ask) = (running.pid(), format!("source {}", source("unborn.py").display()));
    let ask = || says(&mut batch(Debugger::Gdb, &["-p", &pid], &[&ask])?);
    in_time(ask, &["answers [0, 0, 0, 0], state 0x100".to_owned()])?;
    Ok(())
}
