//! A program that was profiled in a container: its root is a folder of ours, where each of its
//! files has another path.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::{paths, suite};

/// What has to be there, in a root of its own; then the words are executed.
const SCRIPT: &str = "cd \"$1\"; mkdir -p usr lib lib64 omphalos proc; \
                      for from in /usr /lib /lib64; do mount --rbind $from .$from; done; \
                      mount --bind \"$2\" omphalos; [ \"$3\" = none ] || mount -t proc proc proc; \
                      shift 3; exec chroot . \"$@\"";

/// Executes the words in a container with this root, and `/proc` or not; none where the system
/// gives us no such.
fn within(root: &Path, has_proc: bool, words: &[&str]) -> Result<Option<Outcome>, String> {
    let flags = ["--mount", "--map-root-user", "--pid", "--fork", "--kill-child"];
    let mut probe = Command::new("unshare");
    probe.args(flags).args(["mount", "--bind"]).args([root, root]);
    if suite::stock_only() || !exec::run(&mut probe).is_ok_and(|outcome| outcome.success()) {
        return Ok(None);
    }
    let installed = paths::lib().join("..");
    let mut command = Command::new("unshare");
    command.args(flags).args(["sh", "-ec", SCRIPT, "sh"]).arg(root).arg(installed);
    command.arg(if has_proc { "proc" } else { "none" }).args(words);
    exec::run(&mut command).map(Some)
}

/// A root with a program at a path that we do not have.
fn root(name: &str) -> Result<PathBuf, String> {
    let root = paths::scratch(&format!("container {name}"));
    let inner = root.join("inner");
    fs::create_dir_all(&inner).map_err(|error| error.to_string())?;
    let source = paths::tests().join("containers/team.c");
    let program = Compiler::Gcc.compile(&source, &[])?;
    fs::copy(program, inner.join("team")).map_err(|error| error.to_string())?;
    Ok(root)
}

/// Recorded inside, and read outside: the files are found below the container's root, and not where
/// another file, or none, has their path.
fn report_outside() -> Result<(), String> {
    let root = root("profile")?;
    let words = [
        "/omphalos/bin/omphalos", "profile", "--no-report", "-o", "/inner/team.omph", "/inner/team",
    ];
    let Some(outcome) = within(&root, true, &words)? else { return Ok(()) };
    if !outcome.success() {
        return Err(outcome.describe());
    }
    let report = |profile: &Path| {
        let mut command = Command::new(paths::omphalos());
        exec::run(command.arg("report").arg(profile))
    };
    let inside = root.join("inner/team.omph");
    let known = report(&inside)?;
    if !known.stdout.contains("team.c:") || known.stdout.contains("cannot be read") {
        return Err(known.describe());
    }
    let elsewhere = paths::scratch("container moved");
    fs::create_dir_all(&elsewhere).map_err(|error| error.to_string())?;
    let moved = elsewhere.join("team.omph");
    fs::copy(&inside, &moved).map_err(|error| error.to_string())?;
    let unknown = report(&moved)?;
    match unknown.stdout.contains("'/inner/team' cannot be read") {
        true => Ok(()),
        false => Err(unknown.describe()),
    }
}

/// Without `/proc` one line says what to do.
fn without_proc() -> Result<(), String> {
    let root = root("bare")?;
    for verb in ["inspect", "attach"] {
        let words = ["/omphalos/bin/omphalos", verb, "1"];
        let Some(outcome) = within(&root, false, &words)? else { return Ok(()) };
        let is_line = outcome.stderr.lines().count() == 1;
        if !is_line || !outcome.stderr.contains("mount -t proc proc /proc") {
            return Err(outcome.describe());
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    suite::main(vec![
        suite::test("containers::report_outside", report_outside),
        suite::test("containers::without_proc", without_proc),
    ])
}
