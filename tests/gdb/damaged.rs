//! Cores in which the runtime's records are overwritten: each command says something that makes
//! sense, and none shows Python's own error messages.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

use crate::debugger::{Debugger, Running, batch, holds, in_time, line, program, says};

const C: &str = "stands.c";
/// The messages for a state of the runtime that makes no sense; the item and the place follow.
const FAULTS: [&str; 3] = [": damaged: ", ": cannot read ", "libompd finds no OpenMP state: "];
/// The number of bytes of a record that are overwritten.
const LENGTH: usize = 2048;

pub fn tests() -> Vec<Trial> {
    let all = [("zeros", 0u8), ("ones", 0xff), ("pointers", 1), ("chance", 2)];
    let test = |(name, kind)| suite::test(format!("damaged::{name}"), move || damaged(name, kind));
    all.map(test).into()
}

fn damaged(name: &str, kind: u8) -> Result<(), String> {
    let binary = program(C, Compiler::Gcc, "-O0")?;
    let path = binary.to_str().ok_or("a strange path")?;
    let running = Running::start(&binary)?;
    let pid = running.pid();
    let ready = ["2 of 3, level 1..waits for lock".to_owned()];
    in_time(|| says(&mut batch(Debugger::Gdb, &["-p", &pid], &["omp threads"])?), &ready)?;
    let records = records(&pid)?;
    let core = paths::scratch(&format!("gdb-damaged-{name}")).join("core");
    let save = format!("gcore {}", core.display());
    says(&mut batch(Debugger::Gdb, &["-p", &pid], &[&save])?)?;
    drop(running);
    let mut bytes = std::fs::read(&core).map_err(|e| format!("{}: {e}", core.display()))?;
    let whole = bytes.clone();
    // First all records, then those of one kind alone, so that the path to the other kinds may be
    // right.
    for only in [None, Some("threads"), Some("teams"), Some("tasks")] {
        bytes.copy_from_slice(&whole);
        let wanted = records.iter().filter(|(of, _)| only.is_none_or(|only| only == *of));
        for (_, address) in wanted {
            let at = place(&bytes, *address).ok_or("a record is not in the core")?;
            let end = (at + LENGTH).min(bytes.len());
            overwrite(&mut bytes[at..end], kind, *address);
        }
        std::fs::write(&core, &bytes).map_err(|e| e.to_string())?;
        // A thread's record full of zeros looks like an unused one. A thread whose team is
        // overwritten looks like one that is in no team.
        let names_fault = kind != 0 && only.is_none_or(|only| only == "threads");
        let asked = ask(path, &core, names_fault).and_then(|said| {
            let waits = "2..worker..waits for lock..held by thread 0..stands.c".to_owned();
            if only == Some("teams") { busy(&said, &waits) } else { Ok(()) }
        });
        asked.map_err(|fault| format!("{name} in {only:?}: {fault}"))?;
    }
    let _ = std::fs::remove_file(&core);
    Ok(())
}

/// Checks that no thread is called idle where only the teams' records are damaged: the threads' own
/// records still say that each works or waits.
fn busy(said: &str, waits: &str) -> Result<(), String> {
    if said.contains("idle") {
        return Err(format!("a thread that works is called idle:\n{said}"));
    }
    holds(said, &[waits.to_owned()])
}

fn ask(program: &str, core: &Path, names_fault: bool) -> Result<String, String> {
    let core = core.to_str().ok_or("a strange path")?;
    let commands = [
        "omp threads", "omp bt all", "omp regions", "omp tasks", "omp tasks graph", "omp locks",
        "omp barriers", "omp why", "omp icvs", "omp pr inner", "thread apply all bt",
        "echo done\\n",
    ];
    let gdb = says(&mut batch(Debugger::Gdb, &[program, core], &commands)?)?;
    holds(&gdb, &["done".to_owned()])?;
    let commands = ["omp threads", "omp bt all"];
    let lldb = says(&mut batch(Debugger::Lldb, &[program, "-c", core], &commands)?)?;
    for said in [&gdb, &lldb] {
        // Output that does not depend on the runtime's state is not affected.
        let calls = format!("outer [parallel..at stands.c:{}", line(C, "calls"));
        holds(said, &[format!("deep ..at stands.c:{}", line(C, "sleeps")), calls])?;
        let names = |said: &str| FAULTS.iter().any(|fault| said.contains(fault));
        if names_fault && !names(said) {
            return Err(format!("what is damaged is not said:\n{said}"));
        }
    }
    for said in [&gdb, &lldb] {
        let bare = ["Traceback", "Python Exception", "Error occurred in Python", "Error while"];
        if let Some(line) = said.lines().find(|line| bare.iter().any(|bare| line.contains(bare))) {
            return Err(format!("`{line}` in what it says:\n{said}"));
        }
    }
    Ok(gdb)
}

/// Finds the kind and address of each record, as `omphalos inspect` reports them.
fn records(pid: &str) -> Result<Vec<(&'static str, u64)>, String> {
    let mut inspect = Command::new(paths::omphalos());
    let seen = exec::run(inspect.args(["inspect", "--json", pid]))?;
    let seen: Value = serde_json::from_str(&seen.stdout).map_err(|e| e.to_string())?;
    let mut found = Vec::new();
    for (kind, field) in [("threads", "record"), ("teams", "address"), ("tasks", "address")] {
        let all = seen["snapshot"][kind].as_array().into_iter().flatten();
        let addresses = all.filter_map(|each| each[field].as_u64()).filter(|at| *at != 0);
        found.extend(addresses.map(|address| (kind, address)));
    }
    if found.len() < 8 { Err(format!("few records: {found:?}")) } else { Ok(found) }
}

fn overwrite(bytes: &mut [u8], kind: u8, address: u64) {
    let mut state = address;
    for word in bytes.chunks_mut(8) {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let value = match kind {
            0 => 0,
            0xff => u64::MAX,
            // The record's own address: circles everywhere.
            1 => address,
            _ => state ^ state >> 29,
        };
        word.copy_from_slice(&value.to_le_bytes()[..word.len()]);
    }
}

/// Finds the place of an address's byte in an ELF core file.
fn place(core: &[u8], address: u64) -> Option<usize> {
    let word = |at: usize| Some(u64::from_le_bytes(core.get(at..at + 8)?.try_into().ok()?));
    let short = |at: usize| Some(u16::from_le_bytes(core.get(at..at + 2)?.try_into().ok()?));
    let (table, size) = (word(32)? as usize, usize::from(short(54)?));
    (0..usize::from(short(56)?)).find_map(|number| {
        let at = table + number * size;
        // PT_LOAD
        let is_memory = core.get(at..at + 4)? == [1, 0, 0, 0];
        let (offset, start, length) = (word(at + 8)?, word(at + 16)?, word(at + 32)?);
        let is_here = is_memory && start <= address && address - start < length;
        is_here.then_some((offset + address - start) as usize)
    })
}
