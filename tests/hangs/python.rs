//! Libraries that Python programs load, and whose threads need the interpreter; and Python programs
//! that hang in their own code.

use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::pythons::{SYSTEM, of_version};
use omphalos_tests::runtime::Runtime;
use omphalos_tests::{paths, suite};

use super::{expected, findings, is_right, start, start_on, until_right};

/// Versions of Python in which Omphalos can tell the owner of a lock and the thread that
/// `Thread.join` waits for, and the programs that hang by these: in a `with` of a lock, in
/// `Thread.join`, and in an `import`.
const OF_LOCKS: [&str; 4] = ["3.11", "3.12", "3.13", "3.14"];
const WITH_LOCKS: [&str; 4] =
    ["locks_in_circle", "lock_and_queue", "thread_joined", "import_joined"];

/// Returns the tests of locks and joins with each of these versions, ignored where it is not
/// installed.
pub fn of_versions() -> Vec<Trial> {
    let mut trials = Vec::new();
    for version in OF_LOCKS {
        let found = of_version(version);
        let (is_missing, python) = (found.is_none(), found.unwrap_or_default());
        let title = |name: &str| format!("hangs::python_{name}::of_{version}");
        let mut add = |trial: Trial| trials.push(trial.with_ignored_flag(is_missing));
        for name in WITH_LOCKS {
            let source = paths::tests().join(format!("hangs/python/scripts/{name}.py"));
            let python = python.clone();
            let run = move || script_on(&python, Compiler::Gcc, &source);
            add(suite::test(title(name), run));
        }
        let source = paths::tests().join("hangs/python/callback_under_lock.c");
        let run = move || hang_on(&python, Compiler::Gcc, &source);
        add(suite::test(title("callback_under_lock"), run));
    }
    trials
}

/// Tests a library: builds it, lets Python call its function `work`, and asks.
pub fn hang(compiler: Compiler, source: &Path) -> Result<(), String> {
    hang_on(Path::new(SYSTEM), compiler, source)
}

fn hang_on(python: &Path, compiler: Compiler, source: &Path) -> Result<(), String> {
    let expected = expected(source)?;
    let library = compiler.compile(source, &["-shared", "-fPIC"])?;
    let host = paths::tests().join("hangs/python/host/call.py");
    let how = PathBuf::from(match &*expected.kind {
        "none" => "releases",
        "lock-taken-twice" => "locks",
        _ => "keeps",
    });
    let running = start(python, &[host, how, library])?;
    if expected.kind != "none" {
        until_right(source, &expected, &running)?;
        // A thread that waits for the interpreter wakes for moments: each look must find the cause
        // nevertheless.
        let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        return (0..super::EACH_LOOKS).try_for_each(|_| {
            let (seen, text) = super::ask(running.subject)?;
            match is_right(findings(&seen), &expected, &name) {
                true => Ok(()),
                false => Err(format!("not each look finds it:\n{text}")),
            }
        });
    }
    (0..super::EACH_LOOKS).try_for_each(|_| super::claims_nothing(&running))
}

/// Lists the programs of `python/scripts`.
pub fn scripts() -> Vec<PathBuf> {
    let folder = paths::tests().join("hangs/python/scripts");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = files.flatten().map(|entry| entry.path());
    let is_script = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "py");
    let mut all: Vec<PathBuf> = paths.filter(is_script).collect();
    all.sort();
    all
}

/// Tests such a program, with a library of this compiler's.
pub fn script(compiler: Compiler, source: &Path) -> Result<(), String> {
    script_on(Path::new(SYSTEM), compiler, source)
}

fn script_on(python: &Path, compiler: Compiler, source: &Path) -> Result<(), String> {
    let expected = expected(source)?;
    let text = std::fs::read_to_string(source).map_err(|e| e.to_string())?;
    let runtime = match text.contains("# @stock-only") {
        true => Runtime::Stock,
        false => Runtime::Omphalos,
    };
    let library = paths::tests().join("hangs/python/scripts/library.c");
    let library = compiler.compile(&library, &["-shared", "-fPIC"])?;
    let running = start_on(&runtime, python, &[source.to_path_buf(), library])?;
    match &*expected.kind {
        "none" => (0..super::EACH_LOOKS).try_for_each(|_| super::claims_nothing(&running)),
        _ => until_right(source, &expected, &running).map(drop),
    }?;
    let answers = text.lines().filter_map(|line| line.strip_prefix("# @answer: "));
    answers.into_iter().try_for_each(|words| super::until_said(words, &running))
}
