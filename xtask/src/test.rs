//! `setup` installs what the tests need. `test` without a name does so too, makes the installable
//! tree, and runs every test. `test` with a name runs the tests of that name, on the tree that
//! exists.
//!
//! Tests find the tree through `OMPHALOS_DIST` and its libraries through `OMPHALOS_LIB`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::tools::{cargo, have, root, run as start, step, target_dir};
use crate::{Outcome, dist, packages, readers};

/// The crate whose algorithms are model-checked with loom.
const MODELLED: &str = "omphalos-sync";

/// The variable that tells the runner how many tests to run at a time.
const TESTS_AT_ONCE: &str = "NEXTEST_TEST_THREADS";

/// The folders of programs whose test binary has another name, and that name.
const BINARIES: [(&str, &str); 2] = [("truth", "reports"), ("limits", "scale")];

/// The folders of the sources that are compiled into the tree: a source newer than the library is
/// not yet in it.
const SOURCES: [&str; 6] = ["command", "debug", "debuggers", "profile", "program", "runtime"];

/// Installs the packages and programs that the tests need.
pub fn setup() -> Outcome {
    packages::ensure(packages::FOR_TESTS)?;
    readers::ensure()
}

/// Runs all tests, or those that `arguments` choose.
pub fn run(arguments: &[String]) -> Outcome {
    match arguments {
        [] => all(),
        _ => chosen(arguments),
    }
}

fn all() -> Outcome {
    setup()?;
    let tree = dist::run()?;
    // The runner of the other tests comes last, so that its closing line is the last.
    models()?;
    step("running the tests");
    if !have("cargo-nextest") {
        return start(with_tree(&tree).args(["test", "--workspace", "--no-fail-fast"]));
    }
    // nextest runs no documentation tests.
    start(with_tree(&tree).args(["test", "--workspace", "--doc", "--quiet"]))?;
    start(&mut nextest(&tree, &["--workspace"]))
}

fn chosen(arguments: &[String]) -> Outcome {
    let tree = there()?;
    if let [name] = arguments
        && !name.starts_with('-')
    {
        let binary = binary_of(name).ok_or_else(|| {
            format!(
                "tests has no program `{name}`; to have the test runner look for it everywhere: \
                 `cargo xtask test --workspace {name}`"
            )
        })?;
        let mut test = with_tree(&tree);
        test.args(["test", "--quiet", "--package", "omphalos-tests", "--test", &binary, "--"]);
        return start(test.arg(name));
    }
    if have("cargo-nextest") {
        return start(nextest(&tree, &[]).args(arguments));
    }
    start(with_tree(&tree).args(["test", "--no-fail-fast"]).args(arguments))
}

/// Returns the installable tree as it is, or a new one if there is none.
fn there() -> Outcome<PathBuf> {
    let tree = target_dir().join("dist");
    let Some(made) = modified(&tree.join("lib/libomphalos.so")) else { return dist::run() };
    let newer = SOURCES.iter().find_map(|folder| newer_than(made, &root().join(folder)));
    if let Some(newer) = newer {
        let newer = newer.strip_prefix(root()).unwrap_or(&newer).display().to_string();
        step(&format!("{newer} is newer than target/dist: `cargo xtask dist` builds it anew"));
    }
    Ok(tree)
}

fn modified(file: &Path) -> Option<SystemTime> {
    file.metadata().and_then(|data| data.modified()).ok()
}

/// Finds a source in the folder that is newer than `made`.
fn newer_than(made: SystemTime, folder: &Path) -> Option<PathBuf> {
    let is_source = |path: &Path| path.extension().is_some_and(|end| end == "rs" || end == "py");
    let is_newer = |path: &Path| modified(path).is_some_and(|time| time > made);
    std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).find_map(|path| match path
        .is_dir()
    {
        true if path.ends_with("tests") => None,
        true => newer_than(made, &path),
        false => (is_source(&path) && is_newer(&path)).then_some(path),
    })
}

/// Returns the test binary that runs the program of this name; it follows from the folder in
/// `tests` that has the program.
fn binary_of(name: &str) -> Option<String> {
    let folders = std::fs::read_dir(root().join("tests")).ok()?.flatten();
    let folder = folders.map(|entry| entry.path()).find(|path| holds(path, name))?;
    let folder = folder.file_name()?.to_str()?;
    let other = BINARIES.iter().find(|(of, _)| *of == folder).map(|(_, binary)| *binary);
    let binary = other.unwrap_or(folder);
    let is_there = root().join("tests").join(binary).with_extension("rs").is_file();
    is_there.then(|| binary.to_owned())
}

/// Whether the folder, or one below it, has a program of this name.
fn holds(folder: &Path, name: &str) -> bool {
    const PROGRAMS: [&str; 4] = ["c", "cpp", "f90", "F90"];
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().map(|entry| entry.path()).any(|path| {
        let ends = path.extension().and_then(|end| end.to_str());
        path.file_stem().is_some_and(|stem| stem == name)
            && ends.is_some_and(|end| PROGRAMS.contains(&end))
            || holds(&path, name)
    })
}

fn nextest(tree: &Path, which: &[&str]) -> Command {
    let mut nextest = with_tree(tree);
    nextest.args(["nextest", "run", "--no-fail-fast", "--status-level", "slow"]).args(which);
    if std::env::var_os(TESTS_AT_ONCE).is_none() {
        nextest.env(TESTS_AT_ONCE, at_once().to_string());
    }
    nextest
}

/// Returns twice the number of tests that run at a time: half as many again as there are
/// processors, since a test often waits for a program that sleeps. A test counts two; one that
/// sleeps most of the time counts one, and one that measures has the machine to itself
/// (`.config/nextest.toml`).
fn at_once() -> usize {
    let processors = std::thread::available_parallelism().map_or(2, usize::from);
    2 * (processors + processors.div_ceil(2))
}

fn with_tree(tree: &Path) -> Command {
    let mut command = cargo();
    command.env("OMPHALOS_DIST", tree).env("OMPHALOS_LIB", tree.join("lib"));
    command
}

/// Explores all interleavings of the small algorithms. The build has a target folder of its own,
/// because `--cfg loom` would otherwise make cargo rebuild everything each time.
fn models() -> Outcome {
    step("checking the models (loom)");
    let mut test = cargo();
    test.args(["test", "--release", "--quiet", "--lib", "--package", MODELLED]);
    start(test.env("RUSTFLAGS", "--cfg loom").env("CARGO_TARGET_DIR", target_dir().join("loom")))
}
