//! Profiles in the formats of other programs: a reader that others wrote opens each
//! (`exports/read.py`), and its sums are those of the report.
//!
//! The readers of speedscope's and Perfetto's files come from npm and PyPI: `cargo xtask setup`
//! fetches them into `target/readers`. Where they are missing, those tests are ignored.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::truth::figures::{rows, sum};
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

/// Each format, and the name of the file that its option writes.
const FORMATS: [(&str, &str); 6] = [
    ("csv", "tables"),
    ("speedscope", "speedscope.json"),
    ("callgrind", "callgrind.out"),
    ("pprof", "profile.pb"),
    ("sqlite", "report.db"),
    ("perfetto", "trace.pftrace"),
];
/// The formats whose readers are fetched, and the file that must be there.
const FETCHED: [(&str, &str); 2] =
    [("speedscope", "speedscope.schema.json"), ("perfetto", "python")];
/// Programs of `truth`: waits; devices; several processes.
const PROGRAMS: [&str; 3] = ["criticals_two.c", "targets.c", "forked_helpers.c"];
/// The error of a sum whose parts are each rounded down, ns.
const ROUNDED: f64 = 10_000.0;

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for (format, file) in FORMATS {
        let is_left_out = !needed(format).all(|path| path.exists());
        for program in PROGRAMS {
            let stem = program.trim_end_matches(".c");
            let title = format!("exports::{format}::{stem}");
            let trial: Trial = suite::test(title, move || says_the_same(format, file, program));
            trials.push(trial.with_ignored_flag(is_left_out));
        }
    }
    trials.push(suite::test("exports::refused", refused));
    suite::main(trials)
}

fn fetched() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty());
    target.map_or_else(|| paths::repository().join("target"), PathBuf::from).join("readers")
}

/// Returns the fetched files of a format: Python with its packages first. Empty for a format whose
/// reader is not fetched.
fn needed(format: &str) -> impl Iterator<Item = PathBuf> {
    let own = FETCHED.iter().filter(move |(of, _)| *of == format);
    own.flat_map(|(_, file)| [fetched().join("python/bin/python"), fetched().join(file)])
}

fn says_the_same(format: &str, file: &str, program: &str) -> Result<(), String> {
    let folder = paths::scratch(&format!("exports {format} {program}"));
    let report = export(format, file, program, &folder)?;
    let python = match needed(format).next() {
        Some(python) => python,
        None => "python3".into(),
    };
    let mut reader = Command::new(python);
    reader.arg(paths::tests().join("exports/read.py")).arg(format);
    let read = exec::run(reader.arg(folder.join(file)).arg(fetched()))?;
    if !read.success() {
        return Err(format!("it cannot be read: {}", read.describe()));
    }
    // Lines above the last are messages: a reader may say that it fetches its program.
    let line = read.stdout.lines().last().unwrap_or_default();
    let found: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let others = rows(&report, "other_processes");
    let processes: Vec<&Value> = std::iter::once(&report).chain(others).collect();
    let faults = match format {
        "perfetto" => of_timeline(&found, &processes),
        _ => of_sums(&found, &processes),
    };
    let _ = fs::remove_dir_all(&folder);
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Profiles a program, writes the export, and returns the report.
fn export(format: &str, file: &str, program: &str, folder: &PathBuf) -> Result<Value, String> {
    let source = paths::tests().join("truth").join(program);
    let binary = Compiler::Gcc.compile_with(&source, &["-O2", "-g", "-fopenmp", "-pthread"])?;
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    let options = ["profile", "--no-report", "--counters", "-o", "app.omph", "--"];
    command.args(options).arg(binary);
    command.env("OMP_NUM_THREADS", "2").env("OMPHALOS_DEVICES", "1").current_dir(folder);
    let profiled = exec::run(&mut command)?;
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?.flatten();
    let mut profiles: Vec<_> = entries.map(|entry| entry.file_name()).collect();
    profiles.sort();
    let mut command = Command::new(paths::omphalos());
    command.arg("report").args(profiles).arg("--json=report.json").current_dir(folder);
    let told = exec::run(command.arg(format!("--{format}")).arg(file))?;
    if !profiled.success() || !told.success() {
        return Err(format!("{}\n{}", profiled.describe(), told.describe()));
    }
    let text = fs::read_to_string(folder.join("report.json")).map_err(|error| error.to_string())?;
    serde_json::from_str(&text).map_err(|error| error.to_string())
}

/// Adds up a figure of the processes' summaries.
fn all(processes: &[&Value], field: &str) -> f64 {
    processes.iter().filter_map(|process| process["summary"][field].as_f64()).sum()
}

fn of_sums(found: &Value, processes: &[&Value]) -> Vec<String> {
    let mut faults = Vec::new();
    let of = |field: &str| found["kinds"][field].as_f64().unwrap_or(f64::NAN);
    let trees = processes.iter().filter_map(|process| process["call_tree"]["total_ns"].as_u64());
    let total: u64 = trees.sum();
    if found["total"] != total {
        faults.push(format!("all of it: {} and {total}", found["total"]));
    }
    // Time without a sample may be of any kind.
    let unknown = of("not_sampled");
    for (kind, figure) in [
        ("work", "openmp_work_ns"),
        ("wait", "openmp_wait_ns"),
        ("blocked", "blocked_ns"),
        ("without_cpu", "without_cpu_ns"),
    ] {
        let (own, whole) = (of(kind), all(processes, figure));
        if !(own - ROUNDED..=own + unknown + ROUNDED).contains(&whole) {
            faults.push(format!("{kind}: {own}, {unknown} not sampled, and {whole}"));
        }
    }
    if found["tables"].is_object() {
        for table in ["threads", "regions", "tasks", "mutexes", "targets", "hot_lines"] {
            faults.extend(of_table(&found["tables"][table], table, processes));
        }
        for (table, list) in [("counters", "rows"), ("function_counters", "functions")] {
            faults.extend(of_counters(&found["tables"][table], list, processes));
        }
    }
    faults
}

/// Compares the sum of each time over a table's rows.
fn of_table(found: &Value, table: &str, processes: &[&Value]) -> Vec<String> {
    let own = || processes.iter().flat_map(|process| rows(process, table));
    let mut faults = Vec::new();
    if found["rows"] != own().count() {
        faults.push(format!("{table}: {} rows, and {}", found["rows"], own().count()));
    }
    let fields = own().next().and_then(Value::as_object).into_iter().flatten();
    for (field, _) in fields.filter(|(field, _)| field.ends_with("_ns")) {
        let whole = sum(own(), field).map_or(0.0, |seconds| (seconds * 1e9).round());
        let is_same = (found[field].as_f64().unwrap_or(0.0) - whole).abs() <= 1.0;
        if !is_same {
            faults.push(format!("{table}.{field}: {} and {whole}", found[field]));
        }
    }
    faults
}

/// Compares the sums of the system's counts over regions or functions.
fn of_counters(found: &Value, list: &str, processes: &[&Value]) -> Vec<String> {
    let own = || processes.iter().flat_map(|process| rows(&process["counters"], list));
    let mut faults = Vec::new();
    if found["rows"] != own().count() || own().next().is_none() {
        faults.push(format!("counters, {list}: {} rows, and {}", found["rows"], own().count()));
    }
    for figure in ["running_ns", "page_faults", "switches_left", "switches_taken"] {
        let whole: u64 = own().filter_map(|row| row["counts"][figure].as_u64()).sum();
        let told = &found[format!("counts_{figure}")];
        if *told != whole {
            faults.push(format!("counters, {list}, {figure}: {told} and {whole}"));
        }
    }
    faults
}

fn of_timeline(found: &Value, processes: &[&Value]) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, figure) in [("samples", "samples"), ("threads", "threads")] {
        let whole = all(processes, figure);
        if found[name].as_f64() != Some(whole) {
            faults.push(format!("{name}: {} and {whole}", found[name]));
        }
    }
    if found["slices"] == 0 || found["unfinished"] != 0 {
        faults.push(format!("slices: {}, {} unfinished", found["slices"], found["unfinished"]));
    }
    for figure in ["elapsed_ns", "openmp_work_ns", "openmp_wait_ns", "threads_alive_ns"] {
        let told = found["sums"].as_array().into_iter().flatten();
        let told: f64 = told.filter(|one| one[0] == figure).filter_map(|one| one[1].as_f64()).sum();
        let whole = all(processes, figure);
        if told != whole {
            faults.push(format!("{figure}: {told} and {whole}"));
        }
    }
    faults
}

/// Tests that an export overwrites no existing file that is not an export.
fn refused() -> Result<(), String> {
    let folder = paths::scratch("exports refused");
    fs::write(folder.join("mine"), "a letter\n").map_err(|error| error.to_string())?;
    for (format, _) in FORMATS {
        let mut command = Command::new(paths::omphalos());
        command.args(["report", "no.omph", &format!("--{format}"), "mine"]).current_dir(&folder);
        let outcome = exec::run(&mut command)?;
        if outcome.success() || !outcome.stderr.contains("cannot write mine: there is such a file")
        {
            return Err(format!("--{format}: {}", outcome.describe()));
        }
    }
    match fs::read_to_string(folder.join("mine")) {
        Ok(text) if text == "a letter\n" => Ok(()),
        other => Err(format!("{other:?}")),
    }
}
