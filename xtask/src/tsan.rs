//! `tsan`: runs the runtime itself under ThreadSanitizer.
//!
//! The runtime, and Rust's standard library in it, are built with a nightly compiler so that each
//! access to memory is reported to ThreadSanitizer. The conformance programs run on that library
//! unchanged, so the races that it finds are the runtime's own. (`tests/races.rs` is the other
//! half: programs under Archer.)
//!
//! ThreadSanitizer does not see order that comes from fences alone, entry stubs and fast paths in
//! assembly, and the programs' own accesses. So some programs are left out: those whose own threads
//! hand something over, and one that counts the process's threads, since ThreadSanitizer adds one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{cargo, make_dir, output, read, run as start, step, target_dir};
use crate::{Outcome, dist, link};

const TARGET: &str = "x86_64-unknown-linux-gnu";
/// The compilers whose runtime library of ThreadSanitizer is a shared one.
const CLANGS: &[&str] = &["clang-19", "clang-20", "clang-21", "clang-22", "clang"];
/// The programs that are left out. `task_holders` has a thread of its own. `tied_detached` hands
/// events over by a word of its own, and `task_depend_edges` looks at tasks before such a word lets
/// them go. ThreadSanitizer does not see the programs, so it misses the order that they make.
/// `task_hidden_helper` counts the process's threads.
const LEFT_OUT: &[&str] =
    &["task_depend_edges", "task_holders", "task_hidden_helper", "tied_detached"];
/// The tests that run if the arguments name none.
const USUAL: &str = "::gcc::t4";

/// Builds, and runs the tests whose names contain one of `names`.
pub fn run(names: &[String]) -> Outcome {
    let watcher = watcher()?;
    let library = build(&watcher)?;
    let reports = target_dir().join("tsan/reports");
    let _ = std::fs::remove_dir_all(&reports);
    make_dir(&reports)?;
    let usual = [USUAL.to_owned()];
    let names = if names.is_empty() { &usual[..] } else { names };
    let mut failed = Vec::new();
    for name in names {
        step(&format!("running the conformance programs: {name}"));
        if start(&mut tests(name, &library, &watcher, &reports)).is_err() {
            failed.push(name.as_str());
        }
    }
    let found = summaries(&reports)?;
    for (summary, times) in &found {
        println!("{times} times: {summary}");
    }
    match (found.is_empty(), failed.is_empty()) {
        (true, true) => Ok(()),
        (true, false) => Err(format!("tests failed without a race: {}", failed.join(", "))),
        (false, _) => Err(format!("{} places race; see {}", found.len(), reports.display())),
    }
}

/// Finds the shared library of ThreadSanitizer.
fn watcher() -> Outcome<PathBuf> {
    let file = "libclang_rt.tsan-x86_64.so";
    CLANGS
        .iter()
        .filter_map(|clang| {
            let mut ask = Command::new(clang);
            output(ask.arg("--print-resource-dir")).ok()
        })
        .map(|folder| Path::new(folder.trim()).join("lib/linux").join(file))
        .find(|path| path.exists())
        .ok_or_else(|| format!("no {file}: install clang-19 and libclang-rt-19-dev"))
}

/// Builds the runtime; returns the folder in which it lies under all of its names.
fn build(watcher: &Path) -> Outcome<PathBuf> {
    step("compiling the runtime with ThreadSanitizer");
    let target = target_dir().join("tsan");
    let mut nightly = Command::new("rustup");
    nightly.current_dir(crate::tools::root());
    nightly.args(["run", "nightly", "cargo", "build", "--release", "-Zbuild-std=std,panic_abort"]);
    nightly.args(["--target", TARGET, "--package", "omphalos-runtime"]);
    nightly.env("RUSTFLAGS", "-Zsanitizer=thread --cfg tsan").env("CARGO_TARGET_DIR", &target);
    start(&mut nightly).map_err(|error| {
        format!("{error}\n(needs `rustup toolchain install nightly --component rust-src`)")
    })?;
    let archive = target.join(TARGET).join("release/libomphalos_runtime.a");
    let folder = target.join("lib");
    link::link_with(&archive, &folder, &[watcher.into()])?;
    dist::name_runtime(&folder)?;
    Ok(folder)
}

fn tests(name: &str, library: &Path, watcher: &Path, reports: &Path) -> Command {
    let mut tests = cargo();
    tests.args(["test", "--quiet", "--package", "omphalos-tests", "--test", "conformance", "--"]);
    tests.arg(name);
    for left_out in LEFT_OUT {
        tests.args(["--skip", left_out]);
    }
    tests.env("OMPHALOS_LIB", library).env("OMPHALOS_TEST_PRELOAD", watcher);
    tests.env("OMPHALOS_TEST_ONLY", "ours");
    let log = reports.join("race");
    tests.env("TSAN_OPTIONS", format!("exitcode=66 log_path={}{}", log.display(), symbolizer()));
    tests
}

/// Returns the option that names the program that translates addresses to functions; empty if there
/// is none.
fn symbolizer() -> String {
    let mut which = Command::new("sh");
    which
        .args(["-c", "command -v llvm-symbolizer llvm-symbolizer-19 llvm-symbolizer-14 | head -1"]);
    match output(&mut which) {
        Ok(path) if !path.trim().is_empty() => {
            format!(" external_symbolizer_path={}", path.trim())
        }
        _ => String::new(),
    }
}

/// Returns the reports' last lines, each with the number of times that it came.
fn summaries(reports: &Path) -> Outcome<BTreeMap<String, usize>> {
    let entries = std::fs::read_dir(reports)
        .map_err(|error| format!("cannot read {}: {error}", reports.display()))?;
    let mut found = BTreeMap::new();
    for entry in entries.flatten() {
        let text = read(&entry.path())?;
        for line in text.lines().filter(|line| line.starts_with("SUMMARY: ")) {
            *found.entry(line.to_owned()).or_default() += 1;
        }
    }
    Ok(found)
}
