//! Profiles of Python programs (`python/`): each region is under the line that the script marks,
//! and so are the hot lines of Python's own code. The tests run with each version of CPython that
//! the machine has, and are ignored for the others.
//!
//! `# region`: the line enters a region, and no line without this mark does. `# inside`: a region
//! calls the line. `# own: NAME`: the line is a hot one of that function. `# standing`: the script
//! stops with these lines on its stack.

#[path = "python/packages.rs"]
mod packages;
#[path = "python/running.rs"]
mod running;
#[path = "python/standing.rs"]
mod standing;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{exec, paths, pythons, suite};
use serde_json::Value;

const SCRIPTS: [&str; 9] = [
    "methods", "threads", "generators", "coroutines", "back", "names", "deep", "processes", "calls",
];
/// The scripts of `packages/`, and the package that each imports.
const PACKAGES: [(&str, &str); 7] = [
    ("products", "numpy"),
    ("clusters", "sklearn"),
    ("boosting", "lightgbm"),
    ("trees", "xgboost"),
    ("jitted", "numba"),
    ("cythonized", "Cython"),
    ("workers", "joblib"),
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    let versions = pythons::VERSIONS.iter().map(|version| (*version, pythons::of_version(version)));
    for (version, found) in [("system", Some(pythons::SYSTEM.into()))].into_iter().chain(versions) {
        let is_missing = found.is_none();
        let python: PathBuf = found.unwrap_or_default();
        for script in SCRIPTS {
            let (name, python) = (format!("python::lines::{version}::{script}"), python.clone());
            let run = move || has_lines(version, &python, script);
            trials.push(suite::test(name, run).with_ignored_flag(is_missing));
        }
        for runtime in [Runtime::Omphalos, Runtime::Stock] {
            let name = format!("python::running::{version}::{}", runtime.name());
            let python = python.clone();
            let run = move || running::is_of_one_moment(&python, &runtime);
            trials.push(suite::test(name, run).with_ignored_flag(is_missing));
        }
        let name = format!("python::standing::{version}");
        let run = move || standing::is_seen(&python);
        trials.push(suite::test(name, run).with_ignored_flag(is_missing));
    }
    for (script, package) in PACKAGES {
        let run = move || packages::has_lines(Path::new(pythons::SYSTEM), script, package);
        trials.push(suite::test(format!("python::packages::{script}"), run));
    }
    suite::main(trials)
}

/// Finds the lines with a mark: their numbers, and the text behind the mark.
fn marked<'a>(source: &'a str, mark: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let lines = source.lines().enumerate();
    lines.filter_map(move |(at, line)| Some((at + 1, line.rsplit_once(mark)?.1.trim())))
}

fn has_lines(version: &str, python: &Path, script: &str) -> Result<(), String> {
    let folder = paths::scratch(&format!("python {version} {script}"));
    let source = paths::tests().join("python").join(format!("{script}.py"));
    let flags = ["-O2", "-g", "-shared", "-fPIC"];
    let library = match script {
        "calls" => {
            let Some(headers) = headers(python)? else { return Ok(()) };
            let source = paths::tests().join("python/extension.c");
            Compiler::Gcc.compile(&source, &[&flags[..], &[&headers]].concat())?
        }
        _ => Compiler::Gcc.compile(&paths::tests().join("python/library.c"), &flags)?,
    };
    profile(&folder, Command::new(python).args([&source, &library]))?;
    holds_lines(&folder, &source)?;
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// Returns the compiler's option for the folder of the interpreter's headers; `None` if there are
/// none.
fn headers(python: &Path) -> Result<Option<String>, String> {
    let code = "import sysconfig; print(sysconfig.get_paths()['include'])";
    let outcome = exec::run(Command::new(python).args(["-c", code]))?;
    let folder = outcome.stdout.trim();
    let are_there = Path::new(folder).join("Python.h").is_file();
    if !are_there {
        eprintln!("{} has no headers: modules of C are not tried", python.display());
    }
    Ok(are_there.then(|| format!("-I{folder}")))
}

/// Checks that the profile in a folder agrees with the script's marks.
fn holds_lines(folder: &Path, source: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(source).map_err(|error| error.to_string())?;
    let file = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stacks = report(folder, "--folded")?.concat();
    let at = |line: usize| format!("{file}:{line} in ");
    let is_of_script = |frame: &&str| frame.starts_with(&format!("{file}:"));

    let regions: Vec<usize> = marked(&text, "# region").map(|(line, _)| line).collect();
    let mut met = vec![false; regions.len()];
    for stack in stacks.lines() {
        let Some((outside, within)) = stack.split_once(";region at ") else { continue };
        let caller = outside.rsplit(';').find(is_of_script).unwrap_or("no line of the script");
        let known = regions.iter().position(|line| caller.starts_with(&at(*line)));
        let Some(known) = known else {
            return Err(format!("a region is under {caller}: {stack}"));
        };
        met[known] = true;
        if let Some(frame) = within.split(';').find(is_of_script)
            && !marked(&text, "# inside").any(|(line, _)| frame.starts_with(&at(line)))
        {
            return Err(format!("a region calls {frame}: {stack}"));
        }
    }
    if let Some(missing) = met.iter().position(|met| !met) {
        return Err(format!("no region is under line {}:\n{stacks}", regions[missing]));
    }
    for (line, _) in marked(&text, "# inside") {
        let is_it = |stack: &str| {
            stack.split_once(";region at ").is_some_and(|(_, within)| within.contains(&at(line)))
        };
        if !stacks.lines().any(is_it) {
            return Err(format!("no region calls line {line}:\n{stacks}"));
        }
    }
    if stacks.lines().any(|stack| stack.contains("<frozen importlib")) {
        return Err(format!("imports have frames of their own:\n{stacks}"));
    }
    let mut lines: Vec<Value> = Vec::new();
    for json in report(folder, "--json")? {
        let json: Value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
        for finding in json["diagnosis"].as_array().into_iter().flatten() {
            let place = finding["place"].as_str().unwrap_or_default();
            if place.matches(&format!("{file}:")).count() > 1 {
                return Err(format!("a place is said twice: {finding:#}"));
            }
            let [evidence, advice] = ["evidence", "advice"].map(|key| finding[key].to_string());
            if evidence.contains("regions: sem_wait ") && advice.contains("overlap it with work") {
                return Err(format!("others work for it meanwhile: {finding:#}"));
            }
        }
        lines.extend(json["hot_lines"].as_array().into_iter().flatten().cloned());
    }
    for (line, name) in marked(&text, "# own:") {
        let is_it = |row: &&Value| {
            row["function"] == *name
                && row["line"] == line
                && row["file"].as_str() == source.to_str()
        };
        if !lines.iter().any(|row| is_it(&row)) {
            return Err(format!("{name} has no hot line {line}: {lines:#?}"));
        }
    }
    Ok(())
}

fn profile(folder: &Path, program: &Command) -> Result<(), String> {
    let mut command = Command::new(paths::omphalos());
    Runtime::Stock.apply(&mut command);
    command.env("OMP_NUM_THREADS", "2").env("PYTHONDONTWRITEBYTECODE", "1");
    for (name, value) in program.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command.args(["profile", "-o", "app.omph", "--"]).arg(program.get_program());
    let outcome = exec::run(command.args(program.get_args()).current_dir(folder))?;
    if outcome.success() { Ok(()) } else { Err(outcome.describe()) }
}

/// Writes a report of each process.
fn report(folder: &Path, option: &str) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let names = entries.flatten().map(|entry| entry.file_name());
    let is_profile = |name: &std::ffi::OsString| name.to_string_lossy().starts_with("app.omph");
    let of = |name| {
        let mut command = Command::new(paths::omphalos());
        let outcome = exec::run(command.args(["report", option]).arg(name).current_dir(folder))?;
        if outcome.success() { Ok(outcome.stdout) } else { Err(outcome.describe()) }
    };
    names.filter(is_profile).map(of).collect()
}
