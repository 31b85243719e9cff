//! Profiles of the examples, and the reports of `omphalos report` about them. A run of the tests
//! makes each once, for all tests that need the same program with the same options.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::truth::sums;
use omphalos_tests::{exec, paths};
use serde_json::Value;

/// The time limit. An example takes a second or two where it has two CPUs, and far longer where it
/// has not.
pub const LIMIT: Duration = Duration::from_secs(150);

/// The source of an analysis.
#[derive(Clone, Copy)]
pub enum How {
    /// The profile that an earlier test of this run made, if there is one: several tests need the
    /// same.
    Kept,
    /// A new profile.
    Anew,
}

/// Runs a test, and repeats it up to twice with a new profile. A profile shows one run, and on a
/// machine that takes the CPUs away for other work that may show another disease than the program's
/// own.
pub fn again(mut test: impl FnMut(How) -> Result<(), String>) -> Result<(), String> {
    let mut result = test(How::Kept);
    for _ in 0..2 {
        if result.is_err() {
            result = test(How::Anew);
        }
    }
    result
}

/// Returns the file in which this run of the tests keeps an analysis of this name. Removes the
/// files of earlier runs, which had other libraries.
fn kept(name: &str) -> PathBuf {
    let run = std::env::var("NEXTEST_RUN_ID").unwrap_or_else(|_| std::process::id().to_string());
    let folder = paths::cache().join("examples");
    let _ = fs::create_dir_all(&folder);
    let ending = format!(" {run}.json");
    for file in fs::read_dir(&folder).into_iter().flatten().flatten() {
        if !file.file_name().to_string_lossy().ends_with(&ending) {
            let _ = fs::remove_file(file.path());
        }
    }
    folder.join(format!("{name}{ending}"))
}

/// Profiles an example and returns its analysis.
pub fn analysis(
    source: &Path,
    compiler: Compiler,
    options: &[&str],
    how: How,
) -> Result<Value, String> {
    let program = compiler.compile_with(source, &["-O2", "-g", "-fopenmp"])?;
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = format!("{name} {}", options.concat());
    let (kept, me) = (kept(&name), std::process::id());
    let read = |file: &Path| {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", file.display()))
    };
    if matches!(how, How::Kept) && kept.exists() {
        return read(&kept);
    }
    // Several tests profile the same program, perhaps at the same time: each has its own folder.
    let folder = paths::scratch(&format!("example {name} {me}"));
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
    let value = read(&json);
    let sums = value.as_ref().map(sums::faults).unwrap_or_default();
    if !sums.is_empty() {
        return Err(format!("tables of {} do not add up: {sums:#?}", program.display()));
    }
    // The file must be whole when it appears, since another test may read it.
    fs::rename(&json, &kept).map_err(|e| format!("{}: {e}", kept.display()))?;
    let _ = fs::remove_dir_all(&folder);
    value
}
