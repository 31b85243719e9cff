//! Programs that run in a container: its root is a folder of the test's, so that each file of the
//! container has another path outside.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use omphalos_tests::compiler::Compiler;
use omphalos_tests::exec::{self, Outcome};
use omphalos_tests::{paths, suite};

/// A shell script that mounts the needed folders in a root of its own, and then executes the words.
const SCRIPT: &str = "cd \"$1\"; mkdir -p dev usr lib lib64 omphalos proc; \
                      for from in /dev /usr /lib /lib64; do mount --rbind $from .$from; done; \
                      mount --bind \"$2\" omphalos; [ \"$3\" = none ] || mount -t proc proc proc; \
                      shift 3; exec chroot . \"$@\"";

/// Returns a command that executes the words in a container with this root, with `/proc` or
/// without; `None` if the system allows no container.
fn container(root: &Path, has_proc: bool, words: &[&str]) -> Option<Command> {
    let flags = ["--mount", "--map-root-user", "--pid", "--fork", "--kill-child"];
    let mut probe = Command::new("unshare");
    probe.args(flags).args(["mount", "--bind"]).args([root, root]);
    if suite::stock_only() || !exec::run(&mut probe).is_ok_and(|outcome| outcome.success()) {
        return None;
    }
    let installed = paths::lib().join("..");
    let mut command = Command::new("unshare");
    command.args(flags).args(["sh", "-ec", SCRIPT, "sh"]).arg(root).arg(installed);
    command.arg(if has_proc { "proc" } else { "none" }).args(words);
    Some(command)
}

/// Executes the words in such a container.
fn within(root: &Path, has_proc: bool, words: &[&str]) -> Result<Option<Outcome>, String> {
    container(root, has_proc, words).map(|mut command| exec::run(&mut command)).transpose()
}

/// Makes a root with a program at a path that does not exist outside.
fn root(name: &str) -> Result<PathBuf, String> {
    let root = paths::scratch(&format!("container {name}"));
    let inner = root.join("inner");
    fs::create_dir_all(&inner).map_err(|error| error.to_string())?;
    let source = paths::tests().join("containers/team.c");
    let program = Compiler::Gcc.compile(&source, &[])?;
    fs::copy(program, inner.join("team")).map_err(|error| error.to_string())?;
    Ok(root)
}

/// Tests a profile that is recorded inside and read outside: the report finds the files below the
/// container's root, and not at the same path outside, where another file or none is.
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

/// Tests that without `/proc` one line says what to do.
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

/// Makes a root with a program that runs until `/inner/stop` exists.
fn root_of_long(name: &str) -> Result<PathBuf, String> {
    let root = root(name)?;
    let source = paths::tests().join("attach/shares.c");
    let program = Compiler::Gcc.compile_with(&source, &["-O2", "-g", "-fopenmp"])?;
    fs::copy(program, root.join("inner/long")).map_err(|error| error.to_string())?;
    let _ = fs::remove_file(root.join("inner/stop"));
    Ok(root)
}

/// Checks that the report of a profile has the program's lines and regions, and not the text
/// `missing`.
fn has_lines(profile: &Path, missing: &str) -> Result<(), String> {
    let mut command = Command::new(paths::omphalos());
    let outcome = exec::run(command.arg("report").arg(profile))?;
    let has_all = outcome.stdout.contains("shares.c:") && !outcome.stdout.contains(missing);
    let has_region = outcome.stdout.contains("region at shares.c:");
    if has_all && has_region { Ok(()) } else { Err(outcome.describe()) }
}

/// Tests `inspect` and `attach` inside the container, with the process's number there.
fn looks_inside() -> Result<(), String> {
    let root = root_of_long("inside")?;
    let script = "export PATH=/usr/bin OMP_NUM_THREADS=2 LD_LIBRARY_PATH=/omphalos/lib; cd /inner; \
                  ./long stop > out & pid=$!; \
                  until [ -s out ]; do sleep 0.05; done; \
                  /omphalos/bin/omphalos inspect $pid; \
                  /omphalos/bin/omphalos attach --for 500ms -o long.omph --no-report $pid; \
                  touch stop; wait $pid";
    let words = ["/usr/bin/sh", "-ec", script];
    let Some(outcome) = within(&root, true, &words)? else { return Ok(()) };
    let is_seen = outcome.stdout.contains("shares.c:");
    if !outcome.success() || !is_seen || outcome.stderr.contains("from outside") {
        return Err(outcome.describe());
    }
    has_lines(&root.join("inner/long.omph"), "cannot be read")
}

/// A program that is killed when the test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Tests `inspect` and `attach` from outside, with the process's number on the machine: the agent
/// is not loaded, and a line says why. The report has the program's lines also when the process
/// has ended.
fn looks_into() -> Result<(), String> {
    let root = root_of_long("into")?;
    let variables = ["OMP_NUM_THREADS=2", "LD_LIBRARY_PATH=/omphalos/lib"];
    let words = [&["/usr/bin/env"], &variables[..], &["/inner/long", "/inner/stop"]].concat();
    let Some(mut command) = container(&root, true, &words) else { return Ok(()) };
    let mut running = Running(command.stdout(Stdio::piped()).spawn().map_err(|e| e.to_string())?);
    let mut line = String::new();
    let out = running.0.stdout.take().ok_or("no output")?;
    BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
    let own = running.0.id();
    let children = fs::read_to_string(format!("/proc/{own}/task/{own}/children"));
    let pid = children.map_err(|error| error.to_string())?.trim().to_owned();
    let folder = paths::scratch("container looked into");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let omphalos = |words: &[&str]| {
        exec::run(Command::new(paths::omphalos()).args(words).current_dir(&folder))
    };
    let seen = omphalos(&["inspect", &pid])?;
    let is_seen = seen.stdout.contains("shares.c:");
    if !seen.success() || !is_seen {
        return Err(seen.describe());
    }
    let attached = omphalos(&["attach", "--for", "1s", "-o", "long.omph", "--no-report", &pid])?;
    if !attached.success() || !attached.stderr.contains("other files than you, as in a container") {
        return Err(attached.describe());
    }
    fs::write(root.join("inner/stop"), "").map_err(|error| error.to_string())?;
    running.0.wait().map_err(|error| error.to_string())?;
    // Libraries that are mounted in the container have no path outside.
    has_lines(&folder.join("long.omph"), "/exe' cannot be read")
}

fn main() -> ExitCode {
    suite::main(vec![
        suite::test("containers::report_outside", report_outside),
        suite::test("containers::without_proc", without_proc),
        suite::test("containers::looks_inside", looks_inside),
        suite::test("containers::looks_into", looks_into),
    ])
}
