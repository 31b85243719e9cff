//! `omphalos attach`: if a process cannot be watched, one helpful line says why.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use crate::common::{bare, compile, finish, folder, stderr};

/// A sleeping process, which ends with this.
struct Sleeper(Child);

impl Drop for Sleeper {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn sleeper() -> Sleeper {
    Sleeper(Command::new("sleep").arg("100").spawn().expect("sleep"))
}

/// Returns the one line that `omphalos attach` prints, and asserts that it made no profile.
fn refused(words: &[&str]) -> String {
    let folder = folder();
    let mut command = bare();
    command.arg("attach").args(words).current_dir(folder.path());
    let output = finish(&mut command);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(125), "{words:?}: {text}");
    assert_eq!(text.lines().count(), 1, "{words:?}: {text}");
    let left = std::fs::read_dir(folder.path()).map_or(0, Iterator::count);
    assert_eq!(left, 0, "{words:?} left a file");
    text
}

#[test]
fn a_process_that_cannot_be_looked_at_is_answered_in_one_line() {
    assert!(refused(&["2147483647"]).contains("no process 2147483647 here"));
    let kernel = std::fs::read_to_string("/proc/2/status").unwrap_or_default();
    if kernel.contains("Kthread:\t1") {
        assert!(refused(&["2"]).contains("a thread of the kernel"));
    }
    let sleeper = sleeper();
    let text = refused(&[&sleeper.0.id().to_string(), "-o", "/nowhere/app.omph"]);
    assert!(text.contains("/nowhere/app.omph") && text.contains("--output FILE"), "{text}");
}

#[test]
fn a_zombie_has_ended() {
    let mut child = Command::new("true").stdin(Stdio::null()).spawn().expect("true");
    let pid = child.id().to_string();
    let stat = || std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    while !stat().contains(") Z") {
        std::thread::yield_now();
    }
    let text = refused(&[&pid]);
    let _ = child.wait();
    assert!(text.contains("it has ended"), "{text}");
}

#[test]
fn another_users_process_needs_root() {
    // SAFETY: has no preconditions.
    if unsafe { libc::geteuid() } != 0 {
        return;
    }
    let folder = folder();
    let program = folder.path().join("omphalos");
    std::fs::copy(env!("CARGO_BIN_EXE_omphalos"), &program).expect("a copy");
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path(), open).expect("open to all");
    let sleeper = sleeper();
    let mut command = crate::common::clean(Command::new(&program));
    command.arg("attach").arg(sleeper.0.id().to_string()).uid(65534).gid(65534).current_dir("/");
    let text = stderr(&finish(&mut command));
    assert!(text.contains("another user's: say `sudo omphalos attach`"), "{text}");
}

#[test]
fn a_thread_is_told_from_its_process() {
    let folder = folder();
    let program = folder.path().join("two");
    let source = "#include <pthread.h>\n#include <stdio.h>\n#include <unistd.h>\n\
        static void *rest(void *none) { sleep(100); return none; }\n\
        int main(void) { pthread_t one; pthread_create(&one, 0, rest, 0); puts(\"\"); \
        fflush(stdout); pthread_join(one, 0); return 0; }";
    compile("gcc", folder.path(), source, &["-pthread"], &program);
    let mut child = Sleeper(Command::new(program).stdout(Stdio::piped()).spawn().expect("starts"));
    let mut line = [0];
    let out = child.0.stdout.as_mut().expect("a pipe");
    std::io::Read::read_exact(out, &mut line).expect("it began");
    let pid = child.0.id();
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).expect("threads");
    let other = tasks.flatten().map(|task| task.file_name().to_string_lossy().into_owned());
    let other = other
        .collect::<Vec<_>>()
        .into_iter()
        .find(|lwp| *lwp != pid.to_string())
        .expect("a second thread");
    let text = refused(&[&other]);
    assert!(text.contains(&format!("say `omphalos attach {pid}`")), "{text}");
}
