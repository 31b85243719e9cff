//! The report names each example's disease and the right source line, whichever compiler built it;
//! gcc's and clang's builds of one source give the same user-model report.
//!
//! The report must name each source line that is marked `disease: ID`; a program without a mark is
//! healthy, and the report must name nothing.

#[path = "diseases/profiled.rs"]
mod profiled;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};
use profiled::{How, LIMIT, again, analysis};
use serde_json::Value;

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for source in sources() {
        let stem = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let compilers = Compiler::of_source(&source);
        for &compiler in compilers.iter().filter(|c| **c != Compiler::Flang) {
            let source = source.clone();
            let title = format!("examples::{stem}::{}", compiler.name());
            let collected = source.clone();
            trials.push(suite::test(title, move || {
                again(|how| names_disease(&source, compiler, how))
            }));
            let title = format!("examples::{stem}::collector::{}", compiler.name());
            trials.push(suite::test(title, move || {
                again(|how| same_to_a_collector(&collected, compiler, how))
            }));
        }
        if source.extension().is_some_and(|e| e == "c") {
            let title = format!("examples::{stem}::same_report");
            let same = source.clone();
            trials.push(suite::test(title, move || again(|how| same_report(&same, how))));
        }
    }
    trials.push(suite::test("examples::outputs_equal", outputs_equal));
    // One at a time: the tests measure the balance of two threads on (mostly) two CPUs.
    let mut arguments = suite::arguments();
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, trials).exit_code()
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

/// Reads the marked diseases of a source: `(ID, line)`.
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

/// Returns the diseases that the analysis names: `(ID, file, line)`.
fn findings(analysis: &Value) -> Vec<(String, String, u64)> {
    let list = analysis["diagnosis"].as_array().cloned().unwrap_or_default();
    list.iter()
        .map(|f| {
            let text = |key: &str| f[key].as_str().unwrap_or_default().to_owned();
            (text("disease"), text("file"), f["line"].as_u64().unwrap_or(0))
        })
        .collect()
}

fn names_disease(source: &Path, compiler: Compiler, how: How) -> Result<(), String> {
    if suite::stock_only() {
        return compiler.compile_with(source, &["-O2", "-g", "-fopenmp"]).map(drop);
    }
    Runtime::Omphalos.check()?;
    let known = analysis(source, compiler, &[], how)?;
    holds(source, &findings(&known)).or_else(|fault| excused(&known, how, fault))
}

/// Excuses a fault where the machine is busy: a report must then say that it is inconclusive rather
/// than guess. Such a report is right in a repeated run whose threads waited for processors.
fn excused(analysis: &Value, how: How, fault: String) -> Result<(), String> {
    let threads = || analysis["threads"].as_array().into_iter().flatten();
    let all = |key: &str| threads().map(|row| row[key].as_u64().unwrap_or(0)).sum::<u64>();
    let waited = all("runnable_ns") * 20 > all("alive_ns");
    let doubts = analysis["inconclusive"].as_array().is_some_and(|all| !all.is_empty());
    if matches!(how, How::Anew) && waited && doubts { Ok(()) } else { Err(fault) }
}

/// Diseases of tasks.
const OF_TASKS: [&str; 3] = ["small-tasks", "long-task", "task-shortage"];

/// Tests that the Collector API alone gives the same regions, each as often, the same contended
/// mutexes at the same lines, and the same diseases: all but those of tasks, which the API of 2007
/// does not know.
fn same_to_a_collector(source: &Path, compiler: Compiler, how: How) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let collected = analysis(source, compiler, &["--collector"], how)?;
    let known = analysis(source, compiler, &[], how)?;
    let knows_tasks = |analysis: &Value| analysis["summary"]["knows_tasks"].as_bool();
    if (knows_tasks(&collected), knows_tasks(&known)) != (Some(false), Some(true)) {
        return Err("the report does not say that the Collector API knows no tasks".into());
    }
    let mut compared = vec![("regions", counted_regions as Rows)];
    if !is_crowded() {
        // On one processor chance decides whether a thread holds the mutex when the other's turn
        // comes.
        compared.push(("mutexes", waited_for));
    }
    for (what, rows) in compared {
        let (seen, known) = (rows(&collected), rows(&known));
        if seen != known {
            return Err(format!("{what}: the Collector API shows {seen:#?}, OMPT {known:#?}"));
        }
    }
    match marks(source).first() {
        Some((id, _)) if OF_TASKS.contains(&&**id) => Ok(()),
        _ => holds(source, &findings(&collected)).or_else(|fault| excused(&collected, how, fault)),
    }
}

/// Rows of an analysis, as text.
type Rows = fn(&Value) -> BTreeSet<String>;

/// Returns every region: its construct with the line, its level and parent, the number of
/// instances, and the team's size.
fn counted_regions(analysis: &Value) -> BTreeSet<String> {
    let row = |row: &Value| {
        ["construct", "level", "parent", "instances", "team_size"]
            .map(|key| row[key].to_string())
            .join(" ")
    };
    analysis["regions"].as_array().into_iter().flatten().map(row).collect()
}

/// Returns the kind of each mutex, and the construct that waited, where the wait cost more than a
/// hundredth of the work. (A shorter wait may be chance, and be missing in the next run.)
fn waited_for(analysis: &Value) -> BTreeSet<String> {
    let work = |row: &Value| row["work_ns"].as_u64().unwrap_or(0);
    let total: u64 = analysis["regions"].as_array().into_iter().flatten().map(work).sum();
    let mut places = BTreeSet::new();
    for mutex in analysis["mutexes"].as_array().into_iter().flatten() {
        for site in mutex["sites"].as_array().into_iter().flatten() {
            if site["wait_ns"].as_u64().unwrap_or(0) > total / 100 {
                places.insert(format!("{} {}", mutex["kind"], site["construct"]));
            }
        }
    }
    places
}

/// Whether the two threads of each example are more than there are processors.
fn is_crowded() -> bool {
    std::thread::available_parallelism().is_ok_and(|processors| processors.get() < 2)
}

/// Checks that the report finds what the source is marked with. One processor for two threads is
/// the worst disease of any program: the report must then name that first.
fn holds(source: &Path, found: &[(String, String, u64)]) -> Result<(), String> {
    let marks = marks(source);
    let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if is_crowded() {
        return match found.first() {
            Some((id, file, _))
                if ["oversubscription", "placement"].contains(&id.as_str())
                    && file.ends_with(&name) =>
            {
                Ok(())
            }
            _ => Err(format!("two threads on one processor, and the report names {found:?}")),
        };
    }
    for (id, line) in &marks {
        // Serial time has no construct: the report names the function's hottest line, one of its
        // loop.
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

/// Returns the names of everything in the user's model: regions, tasks, mutexes. (Not the diseases:
/// the worst one may differ from one compiler's code to the other's.)
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

fn same_report(source: &Path, how: How) -> Result<(), String> {
    if suite::stock_only() {
        return Ok(());
    }
    Runtime::Omphalos.check()?;
    let gcc = model(&analysis(source, Compiler::Gcc, &[], how)?);
    let clang = model(&analysis(source, Compiler::Clang, &[], how)?);
    if gcc == clang {
        return Ok(());
    }
    let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| -> Vec<String> {
        a.difference(b).cloned().collect()
    };
    Err(format!("only gcc: {:#?}\nonly clang: {:#?}", only(&gcc, &clang), only(&clang, &gcc)))
}

/// Tests that an example prints the same on every runtime and with every compiler.
fn outputs_equal() -> Result<(), String> {
    for source in sources() {
        let mut first: Option<String> = None;
        for &compiler in Compiler::of_source(&source).iter().filter(|c| **c != Compiler::Flang) {
            let program = compiler.compile_with(&source, &["-O2", "-g", "-fopenmp"])?;
            // LLVM's critical takes minutes where a busy machine preempts the owners: gcc's is
            // enough.
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
