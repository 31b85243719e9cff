//! Parts of runs (`parts/`): a program chooses by `omp_control_tool` what is measured, and the user
//! by `--delay`, `--for` and `--only`. The report has that part and nothing else, and its tables
//! agree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::Outcome;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::truth::figures::rows;
use omphalos_tests::truth::{schema, sums};
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

/// The time by which a busy machine may lengthen a duration that the program measures itself, in
/// seconds.
const HELD_UP: f64 = 0.2;

fn main() -> ExitCode {
    suite::main(vec![
        suite::test("parts::control::gcc", || controlled(Compiler::Gcc)),
        suite::test("parts::control::clang", || controlled(Compiler::Clang)),
        suite::test("parts::control::fortran", fortran),
        suite::test("parts::control::python", python),
        suite::test("parts::control::without", without),
        suite::test("parts::timed::delay", || timed(&["--delay", "500ms"], |run| (0.5, run))),
        suite::test("parts::timed::for", || timed(&["--for", "0.5s"], |_| (0.0, 0.5))),
        suite::test("parts::timed::both", || {
            timed(&["--delay", "0.5s", "--for", "1s"], |_| (0.5, 1.5))
        }),
        suite::test("parts::timed::never", never),
        suite::test("parts::only::gcc", || only(Compiler::Gcc)),
        suite::test("parts::only::clang", || only(Compiler::Clang)),
        suite::test("parts::only::refused", only_refused),
    ])
}

fn source(name: &str) -> PathBuf {
    paths::tests().join("parts").join(name)
}

fn build(compiler: Compiler, name: &str, flags: &[&str]) -> Result<PathBuf, String> {
    let all = [&["-O1", "-g", "-fopenmp"], flags].concat();
    compiler.compile_with(&source(name), &all)
}

/// Profiles a program, and returns its outcome and the report.
fn profile(name: &str, options: &[&str], words: &[&Path]) -> Result<(Outcome, Value), String> {
    let folder = paths::scratch(&format!("parts {name}"));
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    command.args(["profile", "-o", "app.omph", "--json=report.json"]).args(options).arg("--");
    let outcome = exec::run(command.args(words).current_dir(&folder))?;
    if !outcome.success() {
        return Err(outcome.describe());
    }
    let text = fs::read_to_string(folder.join("report.json"));
    let text = text.map_err(|error| format!("{error}: {}", outcome.describe()))?;
    let _ = fs::remove_dir_all(&folder);
    let report: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let mut faults = schema::faults_of_report(&report);
    // Each part of `--only` lasts a few ticks: on a busy machine the time that other programs take
    // from it is known less exactly than all else.
    let is_busy = report["summary"]["cpu_share"].as_f64().is_some_and(|share| share < 0.9);
    if !(is_busy && options.contains(&"--only")) {
        faults.extend(sums::faults(&report));
    }
    if !faults.is_empty() {
        return Err(format!("{}\n{report:#}", faults.join("\n")));
    }
    Ok((outcome, report))
}

/// Checks that the report covers exactly the regions at these lines of the source, and the time
/// that the program measured.
fn covers(
    (outcome, report): &(Outcome, Value),
    name: &str,
    expected: &[(&str, u64)],
) -> Result<(), String> {
    let text = fs::read_to_string(source(name)).map_err(|error| error.to_string())?;
    let line = |mark: &str| text.lines().position(|line| line.ends_with(mark)).map(|at| at + 1);
    let mut expected: Vec<(Option<u64>, Option<u64>)> = expected
        .iter()
        .map(|(mark, count)| (line(mark).map(|at| at as u64), Some(*count)))
        .collect();
    let regions = rows(report, "regions");
    let mut found: Vec<(Option<u64>, Option<u64>)> =
        regions.map(|row| (row["construct"]["line"].as_u64(), row["instances"].as_u64())).collect();
    expected.sort();
    found.sort();
    if found != expected {
        return Err(format!("regions {found:?}, and not {expected:?}"));
    }
    let truth = outcome.stdout.lines().find_map(|line| line.strip_prefix("elapsed "));
    let truth: f64 = truth.and_then(|truth| truth.trim().parse().ok()).unwrap_or(f64::NAN);
    // Each program is measured from its begin to its first pause, which its own clock does not
    // count.
    let first = report["summary"]["measured_parts"][0]["end_ns"].as_f64().unwrap_or(f64::NAN);
    lasts(report, first / 1e9 + truth)?;
    let text: Vec<&str> = outcome.stderr.split_whitespace().collect();
    let told = ["measured of the run's", "all figures are of that"];
    match told.iter().all(|words| text.join(" ").contains(words)) {
        true => Ok(()),
        false => Err(format!("it does not say what it is of: {}", outcome.stderr)),
    }
}

fn seconds(report: &Value, figure: &str) -> f64 {
    report["summary"][figure].as_f64().unwrap_or(f64::NAN) / 1e9
}

fn lasts(report: &Value, truth: f64) -> Result<(), String> {
    let elapsed = seconds(report, "elapsed_ns");
    let parts = report["summary"]["measured_parts"].as_array().into_iter().flatten();
    let of = |part: &Value, end: &str| part[end].as_f64().unwrap_or(f64::NAN);
    let all: f64 = parts.map(|part| of(part, "end_ns") - of(part, "begin_ns")).sum();
    let is_near = (truth - 0.002..truth + HELD_UP).contains(&elapsed);
    match is_near && (all / 1e9 - elapsed).abs() < 1e-6 {
        true => Ok(()),
        false => {
            Err(format!("elapsed: {elapsed} s, {truth} s by its own clock; {all} ns in parts"))
        }
    }
}

fn answers(outcome: &Outcome, expected: &[(&str, usize, &str)]) -> Result<(), String> {
    for &(command, count, answer) in expected {
        let line = format!("{command} {answer}");
        let found = outcome.stdout.lines().filter(|found| *found == line).count();
        if found != count {
            return Err(format!("`{line}` {found} times: {}", outcome.describe()));
        }
    }
    Ok(())
}

fn controlled(compiler: Compiler) -> Result<(), String> {
    let binary = build(compiler, "control.c", &[])?;
    let name = format!("control {}", compiler.name());
    let told = profile(&name, &[], &[&binary])?;
    answers(
        &told.0,
        &[("start", 11, "0"), ("pause", 12, "0"), ("again", 1, "0"), ("flush", 1, "0")],
    )?;
    let marks = [("// measured", 10), ("// unmeasured", 1), ("// halves", 1)];
    covers(&told, "control.c", &marks)
}

fn fortran() -> Result<(), String> {
    let binary = build(Compiler::Flang, "control.f90", &[])?;
    let told = profile("fortran", &[], &[&binary])?;
    answers(&told.0, &[("pause", 1, "0"), ("start", 1, "0"), ("end", 1, "0")])?;
    covers(&told, "control.f90", &[("! measured", 1)])
}

fn python() -> Result<(), String> {
    let kernel = build(Compiler::Gcc, "kernel.c", &["-fPIC", "-shared"])?;
    let told = profile("python", &[], &[Path::new("python3"), &source("control.py"), &kernel])?;
    answers(&told.0, &[("pause", 2, "0"), ("start", 1, "0")])?;
    covers(&told, "kernel.c", &[("// measured", 1)])
}

/// Tests the answers of `omp_control_tool` without a tool.
fn without() -> Result<(), String> {
    let binary = build(Compiler::Gcc, "control.c", &[])?;
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    let outcome = exec::run(command.arg("run").arg("--").arg(binary))?;
    answers(&outcome, &[("start", 11, "-2"), ("pause", 12, "-2"), ("flush", 1, "-2")])
}

/// Tests a part that options choose. `part` returns its begin and end for a run of so many seconds,
/// in seconds.
fn timed(options: &[&str], part: impl Fn(f64) -> (f64, f64)) -> Result<(), String> {
    let binary = build(Compiler::Gcc, "timed.c", &[])?;
    let (outcome, report) = profile(&options.concat(), options, &[&binary])?;
    let (begin, end) = part(seconds(&report, "run_ns"));
    let own = &report["summary"]["measured_parts"][0];
    let at = |field: &str| own[field].as_f64().unwrap_or(f64::NAN) / 1e9;
    let near = |found: f64, asked: f64| (asked - 0.001..asked + HELD_UP).contains(&found);
    if !near(at("begin_ns"), begin) || !near(at("end_ns"), end) {
        return Err(format!("from {begin} s to {end} s: {own} {}", outcome.describe()));
    }
    lasts(&report, at("end_ns") - at("begin_ns"))?;
    // A part that begins in the middle of a region has that region too.
    let lines = rows(&report, "regions").count();
    let expected = if begin == 0.0 { 1 } else { 2 };
    if lines != expected {
        return Err(format!("{lines} regions: {report:#}"));
    }
    Ok(())
}

/// Tests that the profiler says so when the part never comes.
fn never() -> Result<(), String> {
    let binary = build(Compiler::Gcc, "timed.c", &[])?;
    let folder = paths::scratch("parts never");
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    command.args(["profile", "--delay", "1h", "-o", "app.omph", "--"]).arg(binary);
    let outcome = exec::run(command.current_dir(&folder))?;
    match outcome.success() && outcome.stderr.contains("nothing was measured") {
        true => Ok(()),
        false => Err(outcome.describe()),
    }
}

/// Finds the number of the source's line that ends with a mark.
fn line_of(name: &str, mark: &str) -> Result<usize, String> {
    let text = fs::read_to_string(source(name)).map_err(|error| error.to_string())?;
    let at = text.lines().position(|line| line.ends_with(mark));
    at.map(|at| at + 1).ok_or_else(|| format!("no {mark} in {name}"))
}

/// Tests that `--only` measures the regions of one function alone, in each form that names it. A
/// busy machine may start some too close to each other; the report then says how many it leaves
/// out.
fn only(compiler: Compiler) -> Result<(), String> {
    let binary = build(compiler, "only.c", &[])?;
    let line = line_of("only.c", "// wanted")?;
    let said = [
        "wanted".to_owned(),
        format!("only.c:{line}"),
        format!("region at only.c:{line} in wanted"),
    ];
    for (number, said) in said.iter().enumerate() {
        let name = format!("only {number} {}", compiler.name());
        let (outcome, report) = profile(&name, &["--only", said], &[&binary])?;
        let fault = |what: &str| Err(format!("{what}: {} {report:#}", outcome.describe()));
        let lines: Vec<Option<u64>> =
            rows(&report, "regions").map(|row| row["construct"]["line"].as_u64()).collect();
        if lines != [Some(line as u64)] {
            return fault("it has other regions");
        }
        let measured = report["regions"][0]["instances"].as_u64().unwrap_or(0);
        let warnings = report["warnings"].as_array().into_iter().flatten();
        let left_out = warnings.filter_map(|text| text.as_str()?.split_once(" instances of"));
        let left_out: u64 = left_out.filter_map(|(count, _)| count.parse::<u64>().ok()).sum();
        if measured + left_out != 5 || measured == 0 {
            return fault("instances are missing");
        }
        let truth = outcome.stdout.trim().strip_prefix("elapsed ");
        let truth: f64 = truth.and_then(|truth| truth.parse().ok()).unwrap_or(f64::NAN);
        let elapsed = seconds(&report, "elapsed_ns");
        if !(0.06 * measured as f64..truth + HELD_UP).contains(&elapsed) {
            return fault("it is as long as something else");
        }
        let text: Vec<&str> = outcome.stderr.split_whitespace().collect();
        if !text.join(" ").contains(&format!("while regions of --only {said} ran")) {
            return fault("it does not say what it is of");
        }
    }
    Ok(())
}

/// Tests that `--only` refuses a name that no region has before anything runs, and refuses a
/// script.
fn only_refused() -> Result<(), String> {
    let binary = build(Compiler::Gcc, "only.c", &[])?;
    let line = line_of("only.c", "// wanted")?;
    let refused = |words: &[&Path], wanted: &str| {
        let mut command = Command::new(paths::omphalos());
        Runtime::Stock.apply(&mut command);
        command.args(["profile", "--only", "nothing", "--"]).args(words);
        let outcome = exec::run(command.current_dir(paths::scratch("parts refused")))?;
        let is_refused = outcome.stderr.contains(wanted) && outcome.stdout.is_empty();
        if is_refused { Ok(()) } else { Err(outcome.describe()) }
    };
    refused(&[&binary], &format!("it has: region at only.c:{line} in wanted"))?;
    refused(&[&source("control.py")], "no program with code of its own")
}
