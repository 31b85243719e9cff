//! `omphalos attach` where the agent comes into the process: it counts exactly, however often it
//! attaches, and leaves nothing behind.

use std::time::{Duration, Instant};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::truth::figures::rows;
use serde_json::Value;

use super::running::{self, Running, line_of, on};

/// The number of times in a row that a test attaches to a program.
const TIMES: usize = 10;
/// The number of regions at the two ends of a profile, each of which the profile may have or not.
const ENDS: f64 = 3.0;

/// Starts the program with a word for each test, so that each test has its own folder.
fn start(name: &str, compiler: Compiler, words: &[&str]) -> Result<Running, String> {
    let program = running::build(compiler, name, &["-ldl"])?;
    Running::start(on("omphalos"), &program, words)
}

/// Attaches to the program, and makes sure that the agent was in the process.
fn inside(running: &mut Running, length: &str) -> Result<Value, String> {
    let (report, said) = running.reported(&["--for", length])?;
    match report["summary"]["attached"].is_null() {
        true => Ok(report),
        false => Err(format!("it was looked at from outside: {said}")),
    }
}

fn figure(of: &Value, name: &str) -> f64 {
    of[name].as_f64().unwrap_or(f64::NAN)
}

/// Tests that the report counts as many regions, tasks and locks as the program itself in that
/// time.
pub fn counts() -> Result<(), String> {
    for compiler in [Compiler::Gcc, Compiler::Clang] {
        let mut running = start("counted.c", compiler, &["counts"])?;
        let reports = [inside(&mut running, "1s")?, inside(&mut running, "700ms")?];
        let notes = running.end()?;
        for report in &reports {
            counted(report, &notes)?;
        }
    }
    Ok(())
}

fn counted(report: &Value, notes: &[String]) -> Result<(), String> {
    let begun = figure(&report["program"], "started_unix_ns");
    let end = begun + figure(&report["summary"], "elapsed_ns");
    let note = |line: &String| line.strip_prefix("region ")?.parse::<f64>().ok();
    let noted = notes.iter().filter_map(note).filter(|note| (begun..end).contains(note));
    let truth = noted.count() as f64;
    let line = line_of("counted.c", "counted")?;
    let row = rows(report, "regions").find(|row| row["construct"]["line"] == line);
    let row = row.ok_or_else(|| format!("no region at line {line}\n{report:#}"))?;
    let instances = figure(row, "instances");
    let sum = |rows_of: &str, field: &str| -> f64 {
        rows(report, rows_of).map(|row| figure(row, field)).sum()
    };
    let (tasks, taken) = (sum("tasks", "created"), sum("mutexes", "acquisitions"));
    let near = |figure: f64, each: f64| (figure - each * truth).abs() <= each * ENDS;
    match truth > 10.0 && near(instances, 1.0) && near(tasks, 8.0) && near(taken, 6.0) {
        true => Ok(()),
        false => Err(format!(
            "{instances} regions, {tasks} tasks, {taken} acquisitions; by the program {truth} \
             regions\n{report:#}"
        )),
    }
}

/// Tests that the agent leaves no trace: threads, files, timers and handlers are the same
/// afterwards.
pub fn no_trace() -> Result<(), String> {
    let mut running = start("counted.c", Compiler::Gcc, &["no trace"])?;
    // Wait until the program's own team exists.
    inside(&mut running, "100ms")?;
    let before = running.belongings();
    for _ in 0..TIMES {
        inside(&mut running, "100ms")?;
        // The thread that ended the agent has still to end itself.
        let begun = Instant::now();
        loop {
            let after = running.belongings();
            if after == before {
                break;
            }
            if begun.elapsed() > Duration::from_secs(10) {
                return Err(format!("before {before:#?}\nafter {after:#?}"));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    running.end().map(drop)
}

/// Tests that one profile's figures hold nothing of another's.
pub fn times_apart() -> Result<(), String> {
    let mut running = start("shares.c", Compiler::Gcc, &["apart"])?;
    for _ in 0..TIMES {
        let report = inside(&mut running, "400ms")?;
        let summary = &report["summary"];
        let (elapsed, threads) = (figure(summary, "elapsed_ns"), figure(summary, "threads"));
        let work: f64 = rows(&report, "threads").map(|row| figure(row, "openmp_work_ns")).sum();
        if threads != 2.0 || !(3.9e8..6e9).contains(&elapsed) || work > 2.05 * elapsed {
            return Err(format!("{report:#}"));
        }
    }
    running.end().map(drop)
}

/// Tests that a line says why where the agent cannot come, and that there is a report all the same.
pub fn cannot_come() -> Result<(), String> {
    let mut running = start("shares.c", Compiler::Gcc, &["cannot come"])?;
    let program = running::build(Compiler::Gcc, "shares.c", &[])?;
    let mut other = Running::start(on("libgomp"), &program, &["other"])?;
    let (report, said) = other.reported(&["--for", "300ms"])?;
    let is_told = said.contains("is looked at from outside: its runtime is");
    if !is_told || !report["summary"]["attached"].is_object() {
        return Err(said);
    }
    other.end()?;
    // A second one attaches while the agent records for the first one.
    let pid = running.pid().to_string();
    let mut first = running.command(&["attach", &pid, "-o", "first.omph", "--for", "1h"]);
    let mut first = first.spawn().map_err(|error| error.to_string())?;
    let written = || running.folder.join("first.omph").metadata().map_or(0, |file| file.len());
    while written() == 0 {
        if first.try_wait().is_ok_and(|status| status.is_some()) {
            return Err("the first one has ended".to_owned());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let second = running.reported(&["--for", "300ms"]);
    // SAFETY: a child that is not waited for.
    unsafe { libc::kill(first.id().cast_signed(), libc::SIGINT) };
    let status = first.wait().map_err(|error| error.to_string())?;
    let (report, said) = second?;
    let is_told = said.contains("is looked at from outside: another look has the agent\n");
    if !status.success() || !is_told || !report["summary"]["attached"].is_object() {
        return Err(format!("{status}: {said}"));
    }
    running.end()?;
    // A program whose only region has begun.
    let mut long = start("one_region.c", Compiler::Gcc, &[])?;
    let (report, said) = long.reported(&["--for", "300ms"])?;
    let is_told = said.contains("from outside: it began no parallel region within 2 s\n");
    if !is_told || !report["summary"]["attached"].is_object() {
        return Err(said);
    }
    long.end().map(drop)
}
