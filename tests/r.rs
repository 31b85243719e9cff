//! Profiles of R programs (`r/`), and a look at one that has stopped: each region is under the
//! function that the script marks, with its line where R keeps the source. Where the machine has no
//! R, or not the package, the tests are ignored.
//!
//! `# region NAME`: the line enters a region, in that function, and no line without this mark does.
//! `# calls NAME`: the line, in that function, calls something that leads to a region. `# standing
//! NAME`: a script stops in that function.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

/// R code that reads a script and keeps its source, as people do who work with R.
const KEEPING: &str = "options(keep.source = TRUE); source(commandArgs(TRUE)[1])";
/// The number of looks at a process, which says that it stands a little before it does.
const LOOKS: usize = 20;
/// The library's functions that have regions, or that call one with a region.
const LIBRARY: [&str; 3] = ["spin", "spin_c", "region"];

fn main() -> ExitCode {
    let has = |code: &str| {
        let outcome = exec::run(Command::new("Rscript").args(["-e", code]));
        outcome.is_ok_and(|outcome| outcome.success())
    };
    let (has_r, has_table) = (has("NULL"), has("library(data.table)"));
    suite::main(vec![
        suite::test("r::lines::compiled", || lines(true)).with_ignored_flag(!has_r),
        suite::test("r::lines::plain", || lines(false)).with_ignored_flag(!has_r),
        suite::test("r::names", names).with_ignored_flag(!has_r),
        suite::test("r::standing", standing).with_ignored_flag(!has_r),
        suite::test("r::package", package).with_ignored_flag(!has_table),
    ])
}

fn source(name: &str) -> PathBuf {
    paths::tests().join("r").join(name)
}

/// Builds the library that the scripts call.
fn library() -> Result<PathBuf, String> {
    let outcome = exec::run(Command::new("R").args(["CMD", "config", "--cppflags"]))?;
    let flags = ["-O2", "-g", "-shared", "-fPIC"];
    let headers: Vec<&str> = outcome.stdout.split_whitespace().collect();
    Compiler::Gcc.compile(&source("spin.c"), &[&flags[..], &headers].concat())
}

/// Finds the lines with a mark, as `FILE:LINE in FUNCTION`; the function's name is behind the mark.
fn marked(name: &str, mark: &str) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(source(name)).map_err(|error| error.to_string())?;
    let lines = text.lines().enumerate();
    let found = lines.filter_map(|(at, line)| {
        let (_, function) = line.rsplit_once(mark)?;
        Some(format!("{name}:{} in {}", at + 1, function.trim()))
    });
    Ok(found.collect())
}

/// Profiles `Rscript` with these words, and returns the folded stacks and the report.
fn profiled(test: &str, compiles: bool, words: &[&str]) -> Result<(String, Value), String> {
    let folder = paths::scratch(&format!("r {test}"));
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    command.env("OMP_NUM_THREADS", "2").env("SPIN", library()?);
    command.env("R_ENABLE_JIT", if compiles { "3" } else { "0" });
    command.args(["profile", "--no-report", "-o", "app.omph", "--", "Rscript"]).args(words);
    let outcome = exec::run(command.current_dir(&folder))?;
    if !outcome.success() {
        return Err(outcome.describe());
    }
    let report = |option: &str| {
        let mut command = Command::new(paths::omphalos());
        command.args(["report", "app.omph", option]).current_dir(&folder);
        exec::run(&mut command).map(|outcome| outcome.stdout)
    };
    let json = serde_json::from_str(&report("--json")?).map_err(|error| error.to_string())?;
    let stacks = report("--folded")?;
    let _ = std::fs::remove_dir_all(&folder);
    Ok((stacks, json))
}

/// Tests the lines of functions. The lines of those that call other R functions are known, whether
/// R compiles them or not; the lines of those that call C are known only where R does not.
fn lines(compiles: bool) -> Result<(), String> {
    let script = source("lines.R");
    let test = format!("lines {compiles}");
    let (stacks, report) = profiled(&test, compiles, &["-e", KEEPING, &script.to_string_lossy()])?;
    let (mut regions, calls) = (marked("lines.R", "# region ")?, marked("lines.R", "# calls ")?);
    if compiles {
        let names = |line: &String| line.rsplit(' ').next().map(str::to_owned);
        regions.extend(regions.iter().filter_map(names).collect::<Vec<_>>());
    }
    for stack in stacks.lines() {
        let Some((outside, inside)) = stack.split_once(";region at ") else { continue };
        if inside.contains("lines.R:") {
            return Err(format!("no region calls R, and yet: {stack}"));
        }
        // The library's functions stand between the region and its caller in R.
        let caller = outside.rsplit(';').find(|frame| !LIBRARY.contains(frame));
        if !caller.is_some_and(|caller| regions.iter().any(|line| line == caller)) {
            return Err(format!("a region is under {caller:?}: {stack}"));
        }
        if stack.contains("R interpreter") || stack.contains("libR.so") {
            return Err(format!("the interpreter has frames of its own: {stack}"));
        }
    }
    let is_there = |line: &&String| {
        let has_it = |stack: &str| {
            stack
                .split_once(";region at ")
                .is_some_and(|(outside, _)| outside.split(';').any(|frame| frame == *line))
        };
        stacks.lines().any(has_it)
    };
    let wanted = if compiles { &regions[regions.len() / 2..] } else { &regions[..] };
    match wanted.iter().chain(&calls).find(|line| !is_there(line)) {
        Some(missing) => return Err(format!("no region is under {missing}:\n{stacks}")),
        None if !stacks.lines().any(|stack| stack.contains(";own ")) => {
            return Err(format!("R's own code has no frame:\n{stacks}"));
        }
        None => {}
    }
    let mut rows = report["hot_lines"].as_array().into_iter().flatten();
    match rows.any(|row| row["file"] == "") {
        true => Err(format!("a line has no file: {:#}", report["hot_lines"])),
        false => Ok(()),
    }
}

/// Tests that functions have at least their names in a script that `Rscript` reads itself: R keeps
/// no source of it.
fn names() -> Result<(), String> {
    let (stacks, _) = profiled("names", true, &[&source("lines.R").to_string_lossy()])?;
    let all = ["compiled;work;spin;region;region at ", "FUN;other;spin_c;region;region at "];
    match all.iter().find(|part| !stacks.contains(**part)) {
        Some(missing) => Err(format!("no {missing}:\n{stacks}")),
        None => Ok(()),
    }
}

/// Tests a package of the distribution, called from a script.
fn package() -> Result<(), String> {
    let script = source("table.R");
    let (stacks, _) = profiled("package", true, &["-e", KEEPING, &script.to_string_lossy()])?;
    let regions = marked("table.R", "# region ")?;
    let is_it = |stack: &str| {
        let outside = stack.split_once(";region ").map(|(outside, _)| outside);
        outside.is_some_and(|outside| outside.contains(&regions[0]) && outside.contains("forderv"))
    };
    match stacks.lines().any(is_it) {
        true => Ok(()),
        false => Err(format!("no region is under {}:\n{stacks}", regions[0])),
    }
}

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Tests a look from outside at a script that has stopped in a region.
fn standing() -> Result<(), String> {
    let script = source("standing.R");
    let mut command = Command::new("Rscript");
    Runtime::Omphalos.apply(&mut command);
    command.env("SPIN", library()?).args(["-e", KEEPING]).arg(&script).stdout(Stdio::piped());
    let mut running = Running(command.spawn().map_err(|error| error.to_string())?);
    let mut out = BufReader::new(running.0.stdout.take().ok_or("no output")?);
    let mut line = String::new();
    out.read_line(&mut line).map_err(|error| error.to_string())?;
    // The script marks the innermost one first.
    let lines = marked("standing.R", "# standing ")?;
    let mut seen = String::new();
    for _ in 0..LOOKS {
        let stack = stack_of(running.0.id())?;
        let mut places = stack.iter();
        if lines.iter().all(|line| places.any(|frame| frame == line)) {
            return Ok(());
        }
        seen = stack.join("\n");
    }
    Err(format!("not all of {lines:?} stand in their places:\n{seen}"))
}

fn stack_of(pid: u32) -> Result<Vec<String>, String> {
    let mut inspect = Command::new(paths::omphalos());
    let outcome = exec::run(inspect.args(["inspect", "--json"]).arg(pid.to_string()))?;
    let all: Value = serde_json::from_str(&outcome.stdout)
        .map_err(|error| format!("{error}: {}", outcome.describe()))?;
    let threads = all["snapshot"]["threads"].as_array().ok_or("no threads")?;
    let own = threads.iter().find(|thread| thread["lwp"] == pid).ok_or("no thread that began")?;
    let shown = |frame: &Value| {
        let file = Path::new(frame["file"].as_str().unwrap_or_default());
        let file = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        format!("{file}:{} in {}", frame["line"], frame["function"].as_str().unwrap_or_default())
    };
    Ok(own["stack"].as_array().into_iter().flatten().map(shown).collect())
}
