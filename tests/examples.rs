//! The report names each example's disease and the right source line, whichever compiler built it;
//! gcc's and clang's builds of one source give the same user-model report.
//!
//! A source line marked `disease: ID` is what the report must name; a program without any mark is
//! healthy, and the report must name nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};
use serde_json::Value;

/// An example takes a second or two where it has two CPUs, and far longer where it has not.
const LIMIT: Duration = Duration::from_secs(150);

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for source in sources() {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let compilers = Compiler::of_source(&source);
        for &compiler in compilers.iter().filter(|c| **c != Compiler::Flang) {
            let source = source.clone();
            let title = format!("examples::{stem}::{}", compiler.name());
            trials.push(suite::test(title, move || again(|| names_disease(&source, compiler))));
        }
        if source.extension().is_some_and(|e| e == "c") {
            let title = format!("examples::{stem}::same_report");
            let same = source.clone();
            trials.push(suite::test(title, move || again(|| same_report(&same))));
            let title = format!("examples::{stem}::collector");
            trials
                .push(suite::test(title, move || again(|| names_disease_to_a_collector(&source))));
        }
    }
    trials.push(suite::test("examples::outputs_equal", outputs_equal));
    // One at a time: what is measured is the balance of two threads on (mostly) two CPUs.
    let mut arguments = suite::arguments();
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A profile says what happened in that run. On a machine that takes the CPUs away for other work
/// that may be another disease than the program's own, so a run may be repeated twice.
fn again(mut test: impl FnMut() -> Result<(), String>) -> Result<(), String> {
    let mut result = test();
    for _ in 0..2 {
        if result.is_err() {
            result = test();
        }
    }
    result
}

fn sources() -> Vec<PathBuf> {
    let mut sources = Vec::new();
    for language in ["c", "cpp", "fortran"] {
        let folder = paths::repository().join("examples").join(language);
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        sources.extend(
            entries
                .filter_map(|e| e.ok().map(|e| e.path()))
                .filter(|p| !Compiler::of_source(p).is_empty()),
        );
    }
    sources.sort();
    sources
}

/// The marked diseases of a source: `(ID, line)`.
fn marks(source: &Path) -> Vec<(String, u64)> {
    let text = fs::read_to_string(source).unwrap_or_default();
    let mut marks = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if let Some((_, rest)) = line.split_once("disease: ") {
            let id: String =
                rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
            marks.push((id, number));
        }
    }
    marks
}

/// Profiles an example and gives its analysis.
fn analysis(source: &Path, compiler: Compiler, options: &[&str]) -> Result<Value, String> {
    let program = compiler.compile_with(source, &["-O2", "-g", "-fopenmp"])?;
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = paths::scratch(&format!("example {name} {}", options.concat()));
    let profile = folder.join("profile.omph");
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    command.args(["profile", "--no-report"]).args(options);
    command.arg("--output").arg(&profile).arg("--").arg(&program);
    let outcome = exec::run_within(command.env("OMP_NUM_THREADS", "2"), LIMIT)?;
    if !outcome.success() {
        return Err(format!("omphalos profile: {}", outcome.describe()));
    }
    let json = folder.join("report.json");
    let mut command = Command::new(paths::omphalos());
    let outcome =
        exec::run(command.arg("report").arg(&profile).arg(format!("--json={}", json.display())))?;
    if !outcome.success() {
        return Err(format!("omphalos report: {}", outcome.describe()));
    }
    let text = fs::read_to_string(&json).map_err(|e| format!("{}: {e}", json.display()))?;
    let value = serde_json::from_str(&text).map_err(|e| format!("{}: {e}", json.display()))?;
    let _ = fs::remove_dir_all(&folder);
    Ok(value)
}

/// What the analysis names: `(ID, file, line)`.
fn findings(analysis: &Value) -> Vec<(String, String, u64)> {
    let list = analysis["diagnosis"].as_array().cloned().unwrap_or_default();
    list.iter()
        .map(|f| {
            let text = |key: &str| f[key].as_str().unwrap_or_default().to_owned();
            (text("disease"), text("file"), f["line"].as_u64().unwrap_or(0))
        })
        .collect()
}

fn names_disease(source: &Path, compiler: Compiler) -> Result<(), String> {
    if suite::stock_only() {
        return compiler.compile_with(source, &["-O2", "-g", "-fopenmp"]).map(drop);
    }
    Runtime::Omphalos.check()?;
    holds(source, &findings(&analysis(source, compiler, &[])?))
}

/// The Collector API alone gives the same regions and names the same disease.
fn names_disease_to_a_collector(source: &Path) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let collected = analysis(source, Compiler::Gcc, &["--collector"])?;
    let regions = |analysis: &Value| -> BTreeSet<String> {
        model(analysis).into_iter().filter(|name| name.starts_with("region ")).collect()
    };
    let (seen, known) = (regions(&collected), regions(&analysis(source, Compiler::Gcc, &[])?));
    if seen != known {
        return Err(format!("the Collector API shows {seen:#?}, OMPT {known:#?}"));
    }
    holds(source, &findings(&collected))
}

/// What is found is what the source is marked with.
fn holds(source: &Path, found: &[(String, String, u64)]) -> Result<(), String> {
    let marks = marks(source);
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for (id, line) in &marks {
        // Serial time has no construct: the hottest line of the function is one of its loop.
        let slack = if id == "serial-time" { 2 } else { 0 };
        let named = found.iter().any(|(disease, file, at)| {
            disease == id && file.ends_with(&name) && (*line..=line + slack).contains(at)
        });
        if !named {
            return Err(format!("no {id} at {name}:{line}: found {found:?}"));
        }
    }
    // The disease that costs most is the marked one; a healthy program has none.
    match (marks.first(), found.first()) {
        (None, Some(other)) => Err(format!("{name} is healthy, but the report names {other:?}")),
        (Some((id, _)), Some((first, ..))) if first != id => {
            Err(format!("{first} comes before {id}: {found:?}"))
        }
        _ => Ok(()),
    }
}

/// The names of everything the user's model has: regions, tasks, mutexes. (Which disease weighs most
/// may differ from one compiler's code to the other's.)
fn model(analysis: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (list, kind) in [("regions", "region"), ("tasks", "task")] {
        for row in analysis[list].as_array().into_iter().flatten() {
            names.insert(format!("{kind} {} level {}", row["construct"], row["level"]));
        }
    }
    for row in analysis["mutexes"].as_array().into_iter().flatten() {
        for site in row["sites"].as_array().into_iter().flatten() {
            names.insert(format!("{} {} {}", row["kind"], row["name"], site["construct"]));
        }
    }
    names
}

fn same_report(source: &Path) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let gcc = model(&analysis(source, Compiler::Gcc, &[])?);
    let clang = model(&analysis(source, Compiler::Clang, &[])?);
    if gcc == clang {
        return Ok(());
    }
    let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| -> Vec<String> {
        a.difference(b).cloned().collect()
    };
    Err(format!("only gcc: {:#?}\nonly clang: {:#?}", only(&gcc, &clang), only(&clang, &gcc)))
}

/// An example prints the same on every runtime and by every compiler.
fn outputs_equal() -> Result<(), String> {
    for source in sources() {
        let mut first: Option<String> = None;
        for &compiler in Compiler::of_source(&source).iter().filter(|c| **c != Compiler::Flang) {
            let program = compiler.compile_with(&source, &["-O2", "-g", "-fopenmp"])?;
            // LLVM's critical, with a busy machine's preempted owners, takes minutes: gcc's is enough.
            let mut runtimes = Vec::new();
            if compiler.is_gnu() {
                runtimes.push(Runtime::Stock);
            }
            if !suite::stock_only() {
                Runtime::Omphalos.check()?;
                runtimes.push(Runtime::Omphalos);
            }
            for runtime in runtimes {
                let mut command = Command::new(&program);
                runtime.apply(&mut command);
                let outcome = exec::run_within(command.env("OMP_NUM_THREADS", "2"), LIMIT)?;
                let wanted = first.get_or_insert_with(|| outcome.stdout.clone());
                if !outcome.success() || outcome.stdout != *wanted {
                    return Err(format!(
                        "{} on {}: wanted {wanted:?}: {}",
                        program.display(),
                        runtime.name(),
                        outcome.describe()
                    ));
                }
            }
        }
    }
    Ok(())
}
