//! Programs that see other files at their paths than we do, other numbers of processes, or another
//! root, as in containers. Asked from outside, the answer is as usual.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use omphalos_tests::compiler::Compiler;
use omphalos_tests::{exec, paths, suite};
use serde_json::Value;

use super::{Expected, Running, build, expected, start_in, stem, until_right};

pub fn tests() -> Vec<Trial> {
    let mut trials = vec![suite::test("hangs::replaced_program", replaced)];
    for compiler in Compiler::of_source(&source("mutex_and_lock")) {
        let name = |what: &str| format!("hangs::{what}::{}", compiler.name());
        trials.push(suite::test(name("mount_namespace"), move || elsewhere(*compiler)));
        trials.push(suite::test(name("root_of_its_own"), move || rooted(*compiler)));
        for program in OF_NUMBERS {
            let name = name(&format!("pid_namespace_{program}"));
            trials.push(suite::test(name, move || numbered(*compiler, program)));
        }
    }
    trials
}

/// Programs whose threads and processes know each other by the kernel's numbers.
const OF_NUMBERS: [&str; 6] =
    ["mutex_and_lock", "mutex_of_processes", "child_waits", "worker_killed", "joins", "spins"];

fn source(program: &str) -> PathBuf {
    paths::tests().join("hangs").join(program).with_extension("c")
}

/// Runs `script` with `words` in a shell that has namespaces of its own; in the end it starts
/// `program`. `None` if the system allows no namespaces.
fn within(
    flags: &[&str],
    script: &str,
    words: &[&Path],
    program: &str,
) -> Result<Option<Running>, String> {
    let unshare = ["unshare", "--mount", "--map-root-user"];
    let mut probe = Command::new("unshare");
    probe.args(&unshare[1..]).args(flags).args(["mount", "--bind", "/tmp", "/tmp"]);
    if suite::stock_only() || !exec::run(&mut probe).is_ok_and(|outcome| outcome.success()) {
        return Ok(None);
    }
    // An alarm's signal does not end the first process of a PID namespace: so `timeout` kills.
    let mut all: Vec<PathBuf> = ["-s", "KILL", "240"].map(PathBuf::from).into();
    all.extend(unshare.iter().chain(flags).map(PathBuf::from));
    all.extend(["sh", "-ec", script, "sh"].map(PathBuf::from));
    all.extend(words.iter().map(|word| word.to_path_buf()));
    let mut running = start_in(Path::new("."), "timeout", &all)?;
    let name: String = program.chars().take(15).collect();
    running.subject = called(running.child.id(), &name).ok_or("the program is not there")?;
    Ok(Some(running))
}

/// Finds the first process with that name that descends from `pid`.
fn called(pid: u32, name: &str) -> Option<u32> {
    let comm = fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    if comm.trim_end() == name {
        return Some(pid);
    }
    let path = format!("/proc/{pid}/task/{pid}/children");
    let children = fs::read_to_string(path).unwrap_or_default();
    let mut children = children.split_whitespace().filter_map(|pid| pid.parse().ok());
    children.find_map(|pid| called(pid, name))
}

/// Returns the answer, once it is right; its threads must have their numbers outside of the
/// container.
fn is_told(program: &str, running: &Running) -> Result<Value, String> {
    let source = source(program);
    let expected: Expected = expected(&source)?;
    let seen = until_right(&source, &expected, running)?;
    let threads = seen["snapshot"]["threads"].as_array().map_or(&[][..], Vec::as_slice);
    for thread in threads.iter().filter(|thread| thread["os"]["state"] != "X") {
        let lwp = thread["lwp"].as_u64().unwrap_or(0);
        if !Path::new(&format!("/proc/{}/task/{lwp}", running.subject)).exists() {
            return Err(format!("the process has no thread {lwp}: {thread}"));
        }
    }
    Ok(seen)
}

/// Checks that a picture of `omphalos top` has a line with this text.
fn is_shown(running: &Running, line: &str) -> Result<(), String> {
    let mut top = Command::new(paths::omphalos());
    top.args(["top", "--plain", "--once"]).arg(running.subject.to_string());
    let outcome = exec::run(&mut top)?;
    let says = outcome.stdout.lines().any(|of| of.contains(line));
    if outcome.success() && says { Ok(()) } else { Err(outcome.describe()) }
}

/// The line at which thread 0 of `mutex_and_lock.c` waits.
const WAITS_AT: &str = "mutex_and_lock.c:22";

/// Tests a program at a path where another program is outside.
fn elsewhere(compiler: Compiler) -> Result<(), String> {
    let folder = paths::scratch(&format!("mounted-{}", compiler.name()));
    let [own, other] = ["own", "other"].map(|name| folder.join(name));
    for (at, name) in [(&own, "mutex_and_lock"), (&other, "lock_cycle")] {
        fs::create_dir_all(at).map_err(|error| error.to_string())?;
        let program = build(compiler, &source(name), "")?;
        fs::copy(program, at.join("mutex_and_lock")).map_err(|error| error.to_string())?;
    }
    let script = "mount --bind \"$1\" \"$2\"; exec \"$2/mutex_and_lock\"";
    let running = within(&[], script, &[&own, &other], "mutex_and_lock")?;
    let Some(running) = running else { return Ok(()) };
    is_told("mutex_and_lock", &running)?;
    is_shown(&running, WAITS_AT)
}

/// Tests a program in a root of its own, where each of its files has another path.
fn rooted(compiler: Compiler) -> Result<(), String> {
    let folder = paths::scratch(&format!("rooted-{}", compiler.name()));
    let program = build(compiler, &source("mutex_and_lock"), "")?;
    fs::copy(program, folder.join("mutex_and_lock")).map_err(|error| error.to_string())?;
    let script = "cd \"$1\"; mkdir usr lib lib64 runtime proc; \
                  for from in /usr /lib /lib64; do mount --rbind $from .$from; done; \
                  mount --bind \"$2\" runtime; \
                  exec env LD_LIBRARY_PATH=/runtime chroot . /mutex_and_lock";
    let running = within(&[], script, &[&folder, &paths::lib()], "mutex_and_lock")?;
    let Some(running) = running else { return Ok(()) };
    is_told("mutex_and_lock", &running)?;
    is_shown(&running, WAITS_AT)
}

/// Tests a program whose process is the first one of its PID namespace.
fn numbered(compiler: Compiler, program: &str) -> Result<(), String> {
    let path = build(compiler, &source(program), "")?;
    let flags = ["--pid", "--fork", "--kill-child", "--mount-proc"];
    let name = stem(&path);
    let running = within(&flags, "exec \"$1\"", &[&path], &name)?;
    let Some(running) = running else { return Ok(()) };
    let seen = is_told(program, &running)?;
    match program {
        "mutex_and_lock" => is_shown(&running, WAITS_AT),
        // The child has the name of its parent.
        "child_waits" if !seen["why"].to_string().contains(&format!("('{name:.15}')")) => {
            Err(format!("the child is not named: {}", seen["why"]))
        }
        _ => Ok(()),
    }
}

/// Tests a program whose file was replaced after it began: the answer is about the process's own
/// code, and not about the new file.
fn replaced() -> Result<(), String> {
    let folder = paths::scratch("replaced");
    let program = folder.join("mutex_and_lock");
    let copy = |name: &str| -> Result<(), String> {
        let new = folder.join("new");
        fs::copy(build(Compiler::Gcc, &source(name), "")?, &new).map_err(|e| e.to_string())?;
        fs::rename(&new, &program).map_err(|e| e.to_string())
    };
    copy("mutex_and_lock")?;
    let running = start_in(&folder, "./mutex_and_lock", &[])?;
    copy("lock_cycle")?;
    is_told("mutex_and_lock", &running).map(drop)
}
