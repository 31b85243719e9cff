//! Counters (`counters/`): the page faults and switches of `omphalos profile --counters` agree,
//! region by region, with what the programs ask the system themselves; rows add up; and a line
//! names each counter that the machine does not offer.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::Outcome;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::truth::figures::rows;
use omphalos_tests::truth::schema;
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

/// The allowed error of a figure is this share of the program's total …
const SHARE: f64 = 0.02;
/// … plus so many switches or faults as the begin and end of a region may cause.
const FEW: f64 = 4.0;

fn main() -> ExitCode {
    suite::main(vec![
        suite::test("counters::places::gcc", || places(Compiler::Gcc)),
        suite::test("counters::places::clang", || places(Compiler::Clang)),
        suite::test("counters::forks", forks),
        suite::test("counters::not_asked_for", not_asked_for),
    ])
}

fn source(name: &str) -> PathBuf {
    paths::tests().join("counters").join(name)
}

fn profile(
    compiler: Compiler,
    name: &str,
    options: &[&str],
) -> Result<(PathBuf, Outcome, Value), String> {
    let binary = compiler.compile_with(&source(name), &["-O1", "-g", "-fopenmp"])?;
    let folder = paths::scratch(&format!("counters {name} {} {options:?}", compiler.name()));
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    command.args(["profile", "-o", "app.omph", "--json=report.json"]).args(options).arg("--");
    let outcome = exec::run(command.arg(binary).current_dir(&folder))?;
    if !outcome.success() {
        return Err(outcome.describe());
    }
    let text = fs::read_to_string(folder.join("report.json"));
    let text = text.map_err(|error| format!("{error}: {}", outcome.describe()))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    let faults = schema::faults_of_report(&report);
    match faults.is_empty() {
        true => Ok((folder, outcome, report)),
        false => Err(format!("{}\n{report:#}", faults.join("\n"))),
    }
}

/// Checks that the rows add up to the total, figure by figure; and so do the functions together
/// with the rows of waits and of other threads.
fn adds_up(counters: &Value) -> Result<(), String> {
    let total = counters["total"].as_object().ok_or("no counters")?;
    for (figure, whole) in total {
        let of = |counts: &Value| counts[figure].as_f64().unwrap_or(0.0);
        let all: f64 = rows(counters, "rows").map(|row| of(&row["counts"])).sum();
        let is_no_work = |row: &&Value| row["place"] == "waiting" || row["place"] == "others";
        let no_work: f64 =
            rows(counters, "rows").filter(is_no_work).map(|row| of(&row["counts"])).sum();
        let functions: f64 = rows(counters, "functions").map(|row| of(&row["counts"])).sum();
        let whole = whole.as_f64().unwrap_or(0.0);
        if all != whole || functions + no_work != whole {
            let parts = format!("{all}, {functions} + {no_work}");
            return Err(format!("{figure}: {whole} in all, {parts}: {counters:#}"));
        }
    }
    Ok(())
}

/// Checks that a line names each counter that the machine does not offer, and no other.
fn says_what_is_missing(counters: &Value) -> Result<(), String> {
    let missing: Vec<&str> = rows(counters, "missing").filter_map(Value::as_str).collect();
    let has = |what: &str| missing.iter().any(|line| line.contains(what));
    for (is_counted, what) in [
        (!counters["total"]["cycles"].is_null(), "cycles"),
        (!counters["total"]["slots"].is_null(), "top-down"),
        (rows(counters, "energy").next().is_some(), "energy: "),
    ] {
        if is_counted == has(what) {
            return Err(format!("{what}: counted {is_counted}, and the lines are {missing:?}"));
        }
    }
    Ok(())
}

fn places(compiler: Compiler) -> Result<(), String> {
    let (folder, outcome, report) = profile(compiler, "places.c", &["--counters"])?;
    let counters = &report["counters"];
    adds_up(counters)?;
    says_what_is_missing(counters)?;
    let text = fs::read_to_string(source("places.c")).map_err(|error| error.to_string())?;
    let told = |name: &str| -> Option<[f64; 2]> {
        let line = outcome.stdout.lines().find_map(|line| line.strip_prefix(name))?;
        let mut words = line.split_whitespace().map(str::parse);
        Some([words.next()?.ok()?, words.next()?.ok()?])
    };
    let all = told("all ").ok_or("the program told nothing")?;
    let near = |what: &str, found: [f64; 2], truth: [f64; 2]| {
        let is_near = |at: usize| (found[at] - truth[at]).abs() <= SHARE * all[at] + FEW;
        match is_near(0) && is_near(1) {
            true => Ok(()),
            false => Err(format!(
                "{what}: {found:?}, and the program was told {truth:?} of {all:?}: {counters:#}"
            )),
        }
    };
    let of = |counts: &Value| {
        ["page_faults", "switches_left"].map(|figure| counts[figure].as_f64().unwrap_or(f64::NAN))
    };
    for name in ["pages", "sleeps", "computes"] {
        let line = text.lines().position(|line| line.ends_with(&format!("// {name}")));
        let line = line.ok_or("no such region")? as u64 + 1;
        let of_line = |row: &&Value| row["construct"]["line"].as_u64() == Some(line);
        let row = rows(counters, "rows").find(of_line);
        let row = row.ok_or_else(|| format!("no row of line {line}: {counters:#}"))?;
        near(name, of(&row["counts"]), told(&format!("{name} ")).ok_or(name)?)?;
    }
    // The two totals differ by what came before the agent, and by the watcher's own switches: so
    // the report may have more switches.
    let total = of(&counters["total"]);
    if (total[0] - all[0]).abs() > SHARE * all[0] || total[1] < all[1] * (1.0 - SHARE) - FEW {
        return Err(format!("in all {total:?}, and the program was told {all:?}"));
    }
    says_so(&folder)
}

/// Checks that the report for people has the table.
fn says_so(folder: &Path) -> Result<(), String> {
    let mut command = Command::new(paths::omphalos());
    let command = command.args(["report", "--all", "app.omph"]).current_dir(folder);
    let outcome = exec::run(command)?;
    let text = &outcome.stdout;
    let lines = ["Counters by region", "Counters by function", "<other threads>", "total"];
    match lines.iter().find(|line| !text.contains(*line)) {
        None => {
            let _ = fs::remove_dir_all(folder);
            Ok(())
        }
        Some(line) => Err(format!("no `{line}` in {}", outcome.describe())),
    }
}

fn forks() -> Result<(), String> {
    let (folder, outcome, report) = profile(Compiler::Gcc, "forks.c", &["--counters"])?;
    let others: Vec<&Value> = rows(&report, "other_processes").collect();
    let [other] = others[..] else {
        return Err(format!("{} other processes: {}", others.len(), outcome.describe()));
    };
    let mut faults = Vec::new();
    for process in [&report, other] {
        adds_up(&process["counters"])?;
        let of_region = |row: &&Value| row["place"] == "region";
        let region = rows(&process["counters"], "rows").find(of_region);
        faults.push(region.map_or(0, |row| row["counts"]["page_faults"].as_u64().unwrap_or(0)));
    }
    faults.sort_unstable();
    let is_near = |found: u64, truth: u64| found.abs_diff(truth) < truth / 20;
    if !is_near(faults[0], 20_000) || !is_near(faults[1], 40_000) {
        return Err(format!("page faults of the child and of its parent: {faults:?}"));
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}

fn not_asked_for() -> Result<(), String> {
    let (folder, outcome, report) = profile(Compiler::Gcc, "places.c", &[])?;
    if !report["counters"].is_null() || outcome.stderr.contains("Counters") {
        return Err(format!("{}\n{:#}", outcome.describe(), report["counters"]));
    }
    let _ = fs::remove_dir_all(&folder);
    Ok(())
}
