//! `omphalos inspect`, `top` and `run --hang`: faults of the question, and programs without OpenMP.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::{bare, compile, finish, folder, installed_tree, of_tree, stderr, stdout};

#[test]
fn a_wrong_question_is_answered_in_one_line() {
    for (words, said) in [
        (&["inspect"][..], "say which process"),
        (&["inspect", "me"], "'me' is not the number of a process"),
        (&["inspect", "\u{1b}[2J"], "is not the number of a process"),
        (&["inspect", "2147483647"], "no process 2147483647"),
        (&["inspect", "--core", "/nowhere"], "no file /nowhere"),
        (&["inspect", "--core", "/etc/passwd"], "is not a core file"),
        (&["inspect", "--why", "--apart", "1e9", "1"], "--apart"),
        (&["why"], "say which process"),
        (&["why", "2147483647"], "no process 2147483647"),
        (&["top", "2147483647"], "no process 2147483647"),
        (&["top", "--every", "0", "1"], "--every takes seconds"),
    ] {
        let output = finish(bare().args(words));
        let text = stderr(&output);
        assert!(!output.status.success(), "{words:?}");
        assert!(text.contains(said) && !text.contains('\u{1b}'), "{words:?}: {text}");
    }
}

#[test]
fn a_watched_program_has_its_own_status_and_says_why_it_hangs() {
    let folder = folder();
    let program = folder.path().join("stuck");
    // A lock that is taken twice, until a signal ends it.
    let source = r#"
        #include <pthread.h>
        #include <signal.h>
        #include <stdio.h>
        #include <unistd.h>
        static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        static void end(int signal) { puts("its own"); fflush(stdout); _exit(42 + signal * 0); }
        int main(void) {
            signal(SIGUSR1, end);
            alarm(240);
            pthread_mutex_lock(&mutex);
            pthread_mutex_lock(&mutex);
            return 0;
        }
    "#;
    compile("gcc", folder.path(), source, &["-pthread"], &program);
    let tree = installed_tree();
    let mut command = of_tree(&tree);
    command.args(["run", "--hang", "0.4"]).arg(&program);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut said = String::new();
    while !said.contains("stuck.c:12") {
        said.push_str(&lines.next().expect("an answer before the end").unwrap());
        said.push('\n');
    }
    assert!(said.contains("no progress for 0.4 s"), "{said}");
    // SAFETY: a signal to a process that this test has started.
    unsafe { libc::kill(child.id() as i32, libc::SIGUSR1) };
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(42));
    assert_eq!(stdout(&output), "its own\n");
}
