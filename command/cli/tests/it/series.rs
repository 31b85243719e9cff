//! Series of runs, `omphalos profile --repeat` and `omphalos scale`: their ends, and cases without
//! one.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{compile, finish, folder, installed_tree, of_tree, stderr};

/// It prints that it runs, and does not let a signal end it.
const STUBBORN: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    signal(SIGINT, SIG_IGN);
    FILE *runs = fopen("begun", "a");
    fputs("run\n", runs);
    fclose(runs);
    #pragma omp parallel
    usleep(1000);
    usleep(200000);
    return 0;
}"#;

fn lines(file: &Path) -> usize {
    std::fs::read_to_string(file).map_or(0, |text| text.lines().count())
}

fn a_signal_ends(words: &[&str]) {
    const ASKED: usize = 1000;
    let (folder, tree) = (folder(), installed_tree());
    let app = folder.path().join("app");
    compile("gcc", folder.path(), STUBBORN, &["-fopenmp"], &app);
    let mut command = of_tree(&tree);
    command.args(words).arg("--repeat").arg(ASKED.to_string()).arg(&app);
    command.current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let begun = folder.path().join("begun");
    let start = Instant::now();
    while lines(&begun) < 2 && start.elapsed() < Duration::from_secs(100) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(lines(&begun) >= 2, "no second run began");
    // SAFETY: no memory involved; the child is not waited for yet.
    unsafe { libc::kill(child.id().cast_signed(), libc::SIGINT) };
    let end = child.wait().unwrap();
    assert_eq!(end.signal(), Some(libc::SIGINT), "{end}");
    assert!(lines(&begun) < ASKED);
}

#[test]
fn a_signal_ends_repeated_runs() {
    a_signal_ends(&["profile", "--no-report", "-o", "runs"]);
}

#[test]
fn a_signal_ends_the_runs_of_all_sizes() {
    a_signal_ends(&["scale", "-t", "1,2", "-o", "runs"]);
}

/// Each rank would run its own series, without the others' messages.
#[test]
fn ranks_make_no_series() {
    let (folder, tree) = (folder(), installed_tree());
    let app = folder.path().join("app");
    compile("gcc", folder.path(), STUBBORN, &["-fopenmp"], &app);
    for variables in [["OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"], ["PMI_RANK", "PMI_SIZE"]] {
        for words in [&["profile", "--repeat", "2"][..], &["scale", "-t", "1"]] {
            let mut command = of_tree(&tree);
            command.args(words).arg(&app).current_dir(folder.path());
            command.env(variables[0], "0").env(variables[1], "2");
            let output = finish(&mut command);
            assert_eq!(output.status.code(), Some(125), "{}", stderr(&output));
            assert!(stderr(&output).contains("the ranks of an MPI program"), "{}", stderr(&output));
        }
    }
    assert!(!folder.path().join("begun").exists());
}
