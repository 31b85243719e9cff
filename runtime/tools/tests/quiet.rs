//! Tests a thread's tasks that are counted for a while (docs/tools.md), with a tool that asks for
//! it and a program in which the thread becomes quiet, and is reported again, between tasks and
//! inside of them.

mod runtime;
mod support;

use runtime::{build, run};
use std::path::{Path, PathBuf};
use support::{compilers, scratch, tool};

/// Returns the output of the tool in a team of this many threads.
fn said(binary: &Path, threads: &str, tools: &[(&str, &Path)]) -> Vec<String> {
    let output = run(binary, &[threads], tools);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{}: {stderr}", binary.display());
    assert_eq!(String::from_utf8_lossy(&output.stdout), "5207\n");
    stderr.lines().map(str::to_owned).collect()
}

/// The program and the tool.
fn made(compiler: &str, program: &str, name: &str) -> (PathBuf, PathBuf) {
    let binary = build(compiler, program, &format!("{name}-{compiler}"), &[]);
    (binary, tool("gcc", "quiet_tool.c", &format!("{name}-{compiler}.so"), &[]))
}

/// A task that is made on a quiet thread is counted, and its end is reported if the task ended the
/// quiet. A task that makes its thread quiet is reported up to that point.
#[test]
fn a_thread_is_quiet_for_a_while() {
    for compiler in compilers() {
        let (binary, tool) = made(compiler, "quiet", "quiet");
        for threads in ["1", "2"] {
            // Alone, the task is over before the taskwait behind it begins.
            let (loud, quiet) = if threads == "1" { (2, 0) } else { (1, 1) };
            let expected = [
                "told: created 100 begun 100 ended 100 strangers 0 waits 2 counted 0 mutexes 1 1 1"
                    .to_owned(),
                "counted: created 0 begun 0 ended 0 strangers 0 waits 0 counted 100 mutexes 0 1 0"
                    .to_owned(),
                format!(
                    "turns loud: created 0 begun 0 ended 1 strangers 0 waits {loud} counted 1 \
                     mutexes 1 1 1"
                ),
                format!(
                    "turns quiet: created 1 begun 1 ended 0 strangers 0 waits {quiet} counted 0 \
                     mutexes 0 1 0"
                ),
                "counted again: created 0 begun 0 ended 0 strangers 0 waits 0 counted 5000 \
                 mutexes 0 1 0"
                    .to_owned(),
            ];
            let tools = [("OMP_TOOL_LIBRARIES", tool.as_path())];
            assert_eq!(said(&binary, threads, &tools), expected, "{compiler}, {threads} threads");
        }
    }
}

/// While another tool wants these events, each event is reported to both tools.
#[test]
fn no_thread_is_quiet_beside_another_tool() {
    let other = tool("gcc", "trace_tool.c", "quiet-other.so", &[]);
    let out = scratch().join("quiet-other.trace");
    for compiler in compilers() {
        let (binary, tool) = made(compiler, "quiet", "quiet-beside");
        for threads in ["1", "2"] {
            let _ = std::fs::remove_file(&out);
            let tools = [
                ("OMP_TOOL_LIBRARIES", tool.as_path()),
                ("OMPHALOS_TOOL_LIBRARIES", other.as_path()),
                ("TRACE_TOOL_OUT", out.as_path()),
            ];
            let tasks = [("told", 100), ("counted", 100), ("turns loud", 1), ("turns quiet", 1)];
            let all = tasks.into_iter().chain([("counted again", 5000)]);
            let expected: Vec<String> = all
                .map(|(step, tasks)| {
                    format!(
                        "{step}: created {tasks} begun {tasks} ended {tasks} strangers 0 waits 2 \
                         counted 0 mutexes 1 1 1"
                    )
                })
                .collect();
            assert_eq!(said(&binary, threads, &tools), expected, "{compiler}, {threads} threads");
            let heard = support::trace(&out);
            assert_eq!(heard.iter().filter(|line| line.is("task_create")).count(), 5202);
        }
    }
}

/// The begin and the end of each line of the tool's that counts tasks of a taskloop.
fn of_taskloop(line: &str) -> (&str, &str) {
    let (step, counts) = line.split_once(": ").unwrap();
    (step, counts.split_once(" waits").unwrap().0)
}

/// The tasks of a taskloop on a quiet thread are counted before they begin: it deals the loop out.
/// A thread that is told, because it became loud or because it helps, is told when each of its
/// tasks begins and ends.
#[test]
fn a_quiet_thread_deals_a_taskloop_out() {
    for compiler in compilers() {
        let (binary, tool) = made(compiler, "dealt", "dealt");
        let output = run(&binary, &[], &[("OMP_TOOL_LIBRARIES", tool.as_path())]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{compiler}: {stderr}");
        let stdout = String::from_utf8_lossy(&output.stdout);
        let (sum, helped) = stdout.trim().split_once(' ').unwrap();
        assert_eq!(sum, "14850", "{compiler}");
        let lines: Vec<_> = stderr.lines().map(of_taskloop).collect();
        let helped = format!("created 1 begun {helped} ended {helped} strangers 0");
        let expected = [
            ("told", "created 100 begun 100 ended 100 strangers 0"),
            ("counted", "created 0 begun 0 ended 0 strangers 0"),
            ("turns loud", "created 0 begun 49 ended 50 strangers 0"),
            ("helped", helped.as_str()),
        ];
        assert_eq!(lines, expected, "{compiler}");
        let counted = |line: &str| line.split_once("counted ").map(|(_, rest)| rest.to_owned());
        let counted: Vec<_> = stderr.lines().filter_map(counted).collect();
        let numbers = ["0", "100", "100", "19999"];
        for (said, number) in counted.iter().zip(numbers) {
            assert!(said.starts_with(&format!("{number} ")), "{compiler}: {said}");
        }
    }
}

/// While another tool wants these events, each task of a taskloop is reported to both tools.
#[test]
fn no_taskloop_is_dealt_out_beside_another_tool() {
    let other = tool("gcc", "trace_tool.c", "dealt-other.so", &[]);
    let out = scratch().join("dealt-other.trace");
    for compiler in compilers() {
        let (binary, tool) = made(compiler, "dealt", "dealt-beside");
        let _ = std::fs::remove_file(&out);
        let tools = [
            ("OMP_TOOL_LIBRARIES", tool.as_path()),
            ("OMPHALOS_TOOL_LIBRARIES", other.as_path()),
            ("TRACE_TOOL_OUT", out.as_path()),
        ];
        let output = run(&binary, &[], &tools);
        assert!(output.status.success(), "{compiler}");
        let heard = support::trace(&out);
        let created = heard.iter().filter(|line| line.is("task_create")).count();
        assert_eq!(created, 20300, "{compiler}");
    }
}
