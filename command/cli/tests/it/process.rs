//! The started program's view: its arguments, its environment, its signals.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use crate::common::{clean, compile, finish, folder, hollow_tree, of_tree, stderr, stdout};

fn kill(pid: u32, signal: i32) {
    // kill(1) is not on every machine.
    // SAFETY: a plain system call; `pid` is a child that nobody waited for.
    assert_eq!(unsafe { libc::kill(pid.cast_signed(), signal) }, 0);
}

#[test]
fn run_becomes_the_program() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let script = r#"echo "$0|$1|$2|$LD_PRELOAD|$LD_LIBRARY_PATH|$$"; exit 7"#;
    let mut command = of_tree(&tree);
    command.args(["run", "sh", "-c", script, "name", "--top", "a b"]);
    command.env("LD_LIBRARY_PATH", "/x").stdout(Stdio::piped());
    let child = command.spawn().unwrap();
    let pid = child.id();
    let output = child.wait_with_output().unwrap();
    let lib = tree.join("lib");
    let lib = lib.display();
    let expected = format!("name|--top|a b|{lib}/libomphalos.so|{lib}/ldconfig:/x|{pid}\n");
    assert_eq!(stdout(&output), expected);
    assert_eq!(output.status.code(), Some(7));
}

#[test]
fn runs_nest_without_repeating_themselves() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let omphalos = tree.join("bin/omphalos");
    let mut command = of_tree(&tree);
    command.arg("run").arg(&omphalos).args(["run", "sh", "-c", "echo $LD_PRELOAD"]);
    let expected = format!("{}\n", tree.join("lib/libomphalos.so").display());
    assert_eq!(stdout(&finish(&mut command)), expected);
}

#[test]
fn a_tree_under_a_path_with_a_space_works() {
    let folder = folder();
    let spaced = folder.path().join("my programs");
    std::fs::create_dir(&spaced).unwrap();
    let tree = hollow_tree(&spaced);
    let output =
        finish(of_tree(&tree).args(["run", "sh", "-c", "grep -c libomphalos.so /proc/self/maps"]));
    assert_eq!(stderr(&output), "");
    assert_ne!(stdout(&output), "0\n");
}

#[test]
fn profile_keeps_stdin_stdout_and_the_exit_status() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let mut command = of_tree(&tree);
    command.current_dir(folder.path()).args(["profile", "sh", "-c", "cat; exit 3"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"through\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(stdout(&output), "through\n");
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert!(said.contains("no OpenMP was used"), "{said}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().collect();
    let is_profile = |path: std::path::PathBuf| path.extension().is_some_and(|e| e == "omph");
    assert!(!left.iter().any(|entry| is_profile(entry.path())), "{left:?}");
}

#[test]
fn profile_tells_the_agent_what_to_do() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let script =
        r#"echo "$OMPHALOS_PROFILE_OUT|$OMPHALOS_PROFILE_HZ|$OMP_TOOL_LIBRARIES|$LD_PRELOAD""#;
    let mut command = of_tree(&tree);
    command.current_dir(folder.path());
    command.args(["profile", "--hz", "250", "-o", "here.omph", "sh", "-c", script]);
    let lib = tree.join("lib");
    let agent = lib.join("omphalos/libomphalos_agent.so");
    let agent = agent.display();
    let output = folder.path().join("here.omph");
    let expected = format!(
        "{}|250|{agent}|{agent}:{}\n",
        output.display(),
        lib.join("libomphalos.so").display()
    );
    assert_eq!(stdout(&finish(&mut command)), expected);

    let script = r#"echo "$OMPHALOS_PROFILE_OUT|$$|$LD_PRELOAD""#;
    let mut command = of_tree(&tree);
    command.current_dir(folder.path());
    command.args(["profile", "--runtime", "system", "sh", "-c", script]);
    let said = stdout(&finish(&mut command));
    let parts: Vec<&str> = said.trim_end().split('|').collect();
    assert!(parts[0].ends_with(&format!("/omphalos-sh-{}.omph", parts[1])), "{said}");
    assert_eq!(parts[2], agent.to_string());
}

#[test]
fn profile_ends_by_the_signal_that_ended_the_program() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let output = finish(
        of_tree(&tree).current_dir(folder.path()).args(["profile", "sh", "-c", "kill -SEGV $$"]),
    );
    assert_eq!(output.status.signal(), Some(11));
    assert!(stderr(&output).contains("was ended by signal 11"));
}

#[test]
fn profile_passes_signals_on() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    for signal in [15, 2, 1, 10] {
        let script = format!(
            "trap 'echo got it; exit 9' {signal}; echo ready; while :; do sleep 0.05; done"
        );
        let mut command = of_tree(&tree);
        command.current_dir(folder.path()).args(["profile", "sh", "-c", &script]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "ready");
        kill(child.id(), signal);
        assert_eq!(lines.next().unwrap().unwrap(), "got it", "signal {signal}");
        assert_eq!(child.wait().unwrap().code(), Some(9), "signal {signal}");
    }
}

#[test]
fn a_profile_that_cannot_be_written_is_refused_before_the_run() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let notes = folder.path().join("notes.txt");
    std::fs::write(&notes, "not to be overwritten").unwrap();
    for output in [notes.to_str().unwrap(), "/no/such/folder/out.omph"] {
        let output = finish(of_tree(&tree).args(["profile", "-o", output, "echo", "ran"]));
        assert_eq!(output.status.code(), Some(125));
        assert_eq!(stdout(&output), "");
        assert!(stderr(&output).contains("cannot write the profile"), "{}", stderr(&output));
    }
    assert_eq!(std::fs::read_to_string(&notes).unwrap(), "not to be overwritten");
}

#[test]
fn a_sanitizer_still_comes_first() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    for sanitizer in ["address", "thread"] {
        let program = folder.path().join(sanitizer);
        let flag = format!("-fsanitize={sanitizer}");
        compile("gcc", folder.path(), "int main(void) { return 6; }", &[&flag], &program);
        let output = finish(of_tree(&tree).arg("run").arg(&program));
        assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    }
}

/// Closed descriptors stay closed, and an ignored SIGPIPE ignored.
#[test]
fn a_program_begins_as_omphalos_did() {
    let folder = folder();
    let tree = hollow_tree(folder.path());
    let omphalos = tree.join("bin/omphalos");
    let look = r"grep SigIgn /proc/self/status >&2; for fd in 0 1; do
        test -e /proc/$$/fd/$fd && echo $fd is open >&2; done; exit 5";
    let begun = |before: &[&str]| {
        let script = r#"trap "" PIPE; exec "$@" <&- >&-"#;
        let mut command = clean(Command::new("sh"));
        command.args(["-c", script, "sh"]).args(before).args(["sh", "-c", look]);
        let output = finish(&mut command);
        assert_eq!(output.status.code(), Some(5), "{before:?}: {}", stderr(&output));
        let said = stderr(&output);
        let lines = said.lines().filter(|line| !line.starts_with("omphalos: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let by_itself = begun(&[]);
    assert_eq!(by_itself.len(), 1, "{by_itself:?}");
    let omphalos = omphalos.to_str().unwrap();
    for verb in [&["run"][..], &["run", "--hang", "60"], &["profile"], &["check", "--mapping"]] {
        assert_eq!(begun(&[&[omphalos], verb].concat()), by_itself, "{verb:?}");
    }
}
