//! The linked runtime under real programs: C sources built by each compiler, run with the trace
//! tool, their event streams checked by the state machine in `support/machine.rs`.
//!
//! The runtime is the installed one: `OMPHALOS_LIB` names its directory, `target/dist/lib`
//! otherwise.

#[path = "support/machine.rs"]
mod machine;
mod runtime;
mod support;

use machine::Seen;
use runtime::{build, run};
use std::path::{Path, PathBuf};
use support::{Line, compilers, scratch, tool, trace};

/// Builds and runs one program under the trace tool. Returns the checked stream, and its lines.
fn observe(compiler: &str, program: &str) -> (Seen, Vec<Line>) {
    let lines = lines_of(compiler, program);
    (machine::check(&lines), lines)
}

/// Does the same without the checks, whose machine knows no leagues.
fn lines_of(compiler: &str, program: &str) -> Vec<Line> {
    let name = format!("{program}-{compiler}");
    let library = tool("gcc", "trace_tool.c", &format!("e2e-{name}.so"), &[]);
    let binary = build(compiler, program, &name, &[]);
    let out = out_file(&name);
    let variables = [
        ("OMP_TOOL_LIBRARIES", library.as_path()),
        ("TRACE_TOOL_OUT", &out),
        ("BUSY_SECONDS", Path::new("0.4")),
    ];
    let result = run(&binary, &[], &variables);
    let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(result.status.success(), "{name}: {:?} {stderr}", result.status);
    let lines = trace(&out);
    println!("{name}: {} lines in {}", lines.len(), out.display());
    lines
}

fn out_file(name: &str) -> PathBuf {
    let out = scratch().join(format!("e2e-{name}.trace"));
    let _ = std::fs::remove_file(&out);
    out
}

fn count(lines: &[Line], event: &str, key: &str, value: &str) -> usize {
    lines.iter().filter(|l| l.is(event) && l.text(key) == value).count()
}

#[test]
fn regions() {
    for compiler in compilers() {
        let (seen, lines) = observe(compiler, "regions");
        assert_eq!(seen.regions, 3 + 2 + 3 + 1 + 1);
        // 2+3+4 members with one barrier each, and two around the nested regions.
        assert_eq!(count(&lines, "sync_region begin", "kind", "3"), 9 + 2);
        let members = 9 + 1 + 1 + 2 + 4 + 2 + 3;
        assert_eq!(count(&lines, "implicit_task begin", "flags", "2"), members);
        inquiries(&lines);
    }
}

/// The frames at each end of a league, and of the regions that its teams are shown as, are the
/// program's: also if the program runs the teams in line and the stack has grown meanwhile.
#[test]
fn a_league_in_line_is_told_from_the_program() {
    for compiler in compilers() {
        let lines = lines_of(compiler, "league");
        let of_leagues: Vec<&Line> = lines
            .iter()
            .filter(|l| matches!(l.event.as_str(), "parallel_begin" | "parallel_end"))
            .collect();
        let begun = of_leagues.iter().filter(|l| l.is("parallel_begin")).count();
        assert!(begun >= 2 && 2 * begun == of_leagues.len(), "{compiler}: {of_leagues:?}");
        assert!(of_leagues.iter().all(|l| l.hex("ra") < 0x5555_5555_5555_5555), "{of_leagues:?}");
    }
}

/// The two control calls asked everything: in a region of two, and in the serial part.
fn inquiries(lines: &[Line]) {
    let asked: Vec<usize> =
        lines.iter().enumerate().filter(|(_, l)| l.is("control_tool")).map(|(i, _)| i).collect();
    assert_eq!(asked.len(), 2);
    let answers = |from: usize, event: &str| -> Vec<&Line> {
        let thread = lines[from].thread;
        lines[from + 1..]
            .iter()
            .filter(|l| l.thread == thread)
            .take_while(|l| !l.is("partition"))
            .filter(|l| l.is(event))
            .collect()
    };
    let (inside, outside) = (asked[0], asked[1]);
    assert_eq!(answers(inside, "state")[0].hex("value"), 1);
    assert_eq!(answers(outside, "state")[0].hex("value"), 0);
    let sizes = |from| -> Vec<String> {
        answers(from, "parallel_info").iter().map(|l| l.text("size").to_owned()).collect()
    };
    assert_eq!(sizes(inside), ["2", "1", "-1"]);
    assert_eq!(sizes(outside), ["1", "-1"]);
    let flags = |from| -> Vec<u64> {
        answers(from, "task_info").iter().map(|l| l.hex("flags") & 0xff).collect()
    };
    assert_eq!(flags(inside), [2, 1, 0xff]);
    assert_eq!(flags(outside), [1, 0xff]);
    let tasks = answers(inside, "task_info");
    // The implicit task's code was left for by the runtime and has now come back into it.
    assert_ne!(tasks[0].hex("exit"), 0);
    assert_ne!(tasks[0].hex("enter"), 0);
    assert!(tasks[0].hex("exit") > tasks[0].hex("enter"), "stacks grow downwards");
    assert_eq!(tasks[1].hex("exit"), 0, "the initial task has no exit frame");
    assert_ne!(tasks[1].hex("enter"), 0);
    assert_eq!(answers(inside, "unique_id")[0].number("fresh"), 1);
    assert!(answers(inside, "places")[0].number("procs") > 0);
}

#[test]
fn loops() {
    for compiler in compilers() {
        let (seen, lines) = observe(compiler, "loops");
        assert_eq!(seen.regions, 3);
        let work = |kind: &str| count(&lines, "work begin", "type", kind);
        assert_eq!((work("3"), work("4")), (3, 3), "single: one executes, one does not");
        assert_eq!(work("2"), 2 + 2, "sections");
        assert!(work("11") >= 4, "dynamic loops: {}", work("11"));
        assert_eq!(count(&lines, "masked begin", "task", "0"), 0);
        let ordered = count(&lines, "mutex_acquired", "kind", "7");
        assert_eq!(ordered, 10, "ordered regions");
        // GCC's code does not distinguish its own barriers from the program's, and has none for
        // reductions.
        if compiler != "gcc" {
            let barrier = |kind: &str| count(&lines, "sync_region begin", "kind", kind);
            assert_eq!(barrier("8"), 2 * 9, "one for each construct without nowait");
            assert_eq!(barrier("4"), 2 * 2, "the second of copyprivate, the reduction's");
        }
    }
}

/// The calls are LLVM's.
#[test]
fn marked_reductions() {
    for compiler in compilers().into_iter().filter(|&compiler| compiler != "gcc") {
        let (_, lines) = observe(compiler, "marked");
        for (kind, times) in [("8", 2), ("3", 2), ("4", 0)] {
            assert_eq!(count(&lines, "sync_region begin", "kind", kind), times, "kind {kind}");
        }
    }
}

#[test]
fn mutexes() {
    for compiler in compilers() {
        let (_, lines) = observe(compiler, "mutexes");
        assert_eq!(count(&lines, "mutex_acquired", "kind", "5"), 3 * 4 * 2);
        assert_eq!(count(&lines, "mutex_released", "kind", "5"), 3 * 4 * 2);
        let critical = lines.iter().filter(|l| l.is("mutex_acquired") && l.text("kind") == "5");
        let mut names: Vec<u64> = critical.map(|l| l.hex("wait")).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 2, "two names, two wait ids");
        for event in ["lock_init", "lock_destroy"] {
            assert_eq!(lines.iter().filter(|l| l.is(event)).count(), 2, "{event}");
        }
        let simple = ["1", "2"].map(|kind| count(&lines, "mutex_acquired", "kind", kind));
        assert_eq!(simple.iter().sum::<usize>(), 3 * 4 * 2);
        let inner = lines.iter().filter(|l| l.is("nest_lock begin")).count();
        assert_eq!(inner, 3 * 4 * 2);
        assert_eq!(lines.iter().filter(|l| l.is("nest_lock end")).count(), 3 * 4 * 2);
    }
}

#[test]
fn tasks() {
    for compiler in compilers() {
        let (seen, lines) = observe(compiler, "tasks");
        // fib(7) makes two tasks in each of its calls with n >= 2, of which there are 20.
        assert_eq!(seen.tasks, 40 + 5 + 1 + 2 + 2 + 1);
        let made = |bits: u64| {
            lines.iter().filter(|l| l.is("task_create") && l.hex("flags") & bits == bits).count()
        };
        assert_eq!(made(0x4), seen.tasks, "all are explicit");
        assert_eq!(made(0x1000_0000), 20, "untied");
        assert_eq!(made(0x2000_0000), 2, "final, and the one inside it");
        assert_eq!(
            made(0x0800_0000),
            3,
            "undeferred: the one with a false clause, the included one, the one outside regions"
        );
        assert_eq!(count(&lines, "sync_region begin", "kind", "5"), 20 + 2);
        assert_eq!(count(&lines, "sync_region begin", "kind", "6"), 1);
    }
}

/// Everything that begins on a thread of the program's own comes after the thread's begin. A
/// `taskwait` in which no thread waits is no task that a thread executes.
#[test]
fn threads_of_the_program() {
    for compiler in compilers() {
        let (seen, lines) = observe(compiler, "foreign");
        assert_eq!((seen.threads, seen.tasks), (4, 3));
        let status = |status: &str| count(&lines, "task_schedule", "status", status);
        assert_eq!((status("5"), status("6"), status("8")), (1, 1, 1), "fulfilled, awaited");
        assert_eq!(lines.iter().filter(|line| line.is("lock_destroy")).count(), 1);
        // The two that have bodies.
        assert_eq!((status("7"), status("1"), status("4")), (2, 1, 1), "begun, ended, detached");
    }
}

/// A promise of "always" is kept by the calls of either compiler's code.
#[test]
fn promises() {
    for compiler in compilers() {
        let (_, lines) = observe(compiler, "loops");
        let sometimes = ["work", "dispatch", "reduction", "mutex_acquire"];
        let answer = |name: &str| {
            let set = lines.iter().find(|line| line.is("set") && line.text("name") == name);
            set.unwrap_or_else(|| panic!("{name}")).number("result")
        };
        assert_eq!(sometimes.map(answer), [3; 4], "{compiler}");
        assert_eq!((answer("sync_region"), answer("task_create")), (5, 5), "{compiler}");
    }
}

/// A tool in the program itself runs, whatever becomes of the libraries that are named.
#[test]
fn a_tool_in_the_program() {
    for compiler in compilers() {
        let source = support::sources().join("trace_tool.c");
        let flags = ["-rdynamic", source.to_str().unwrap()];
        let binary = build(compiler, "regions", &format!("own-tool-{compiler}"), &flags);
        let out = out_file(&format!("own-tool-{compiler}"));
        let none = Path::new("/nowhere/not-there.so");
        let result = run(&binary, &[], &[("OMP_TOOL_LIBRARIES", none), ("TRACE_TOOL_OUT", &out)]);
        assert!(result.status.success());
        assert!(String::from_utf8_lossy(&result.stderr).contains("not-there.so"));
        assert_eq!(machine::check(&trace(&out)).regions, 10);
    }
}

/// A tool that ends the program, or itself, before the first event does not hang the runtime.
#[test]
fn a_tool_that_ends_before_it_began() {
    let binary = build("gcc", "regions", "regions-bad-tool", &[]);
    // Without a tool, omp_control_tool has no tool to ask, and the program says so.
    for (behaviour, status) in [("EXITS", 9), ("FINALIZES_AT_ONCE", 1), ("DECLINES", 1)] {
        let flag = format!("-DBEHAVIOUR={behaviour}");
        let library = tool("gcc", "bad_tool.c", &format!("e2e-bad-{behaviour}.so"), &[&flag]);
        let result = run(&binary, &[], &[("OMP_TOOL_LIBRARIES", &library)]);
        let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
        assert_eq!(result.status.code(), Some(status), "{behaviour}: {stderr}");
        assert!(!stderr.contains("thread_begin"), "{behaviour}: {stderr}");
        assert!(!stderr.contains("finalize"), "{behaviour}: {stderr}");
    }
}

/// A tool that only inquires is attached too: tasks and regions have words for it.
#[test]
fn a_tool_that_hears_nothing() {
    let library = tool("gcc", "trace_tool.c", "e2e-quiet.so", &[]);
    let binary = build("gcc", "regions", "regions-quiet", &[]);
    let out = out_file("quiet");
    let variables = [
        ("OMP_TOOL_LIBRARIES", library.as_path()),
        ("TRACE_TOOL_OUT", &out),
        ("TRACE_TOOL_ONLY", Path::new("control_tool")),
    ];
    assert!(run(&binary, &[], &variables).status.success());
    let lines = trace(&out);
    assert!(lines.iter().any(|l| l.is("task_info") && l.text("result") == "2"));
    assert!(lines.iter().all(|l| !l.is("task_info") || l.number("task") == 0));
}

/// Every inquiry that is allowed in a signal handler is made there, on every thread, all the time.
#[test]
fn inquiries_from_signal_handlers() {
    let library = tool("gcc", "signal_tool.c", "e2e-signal.so", &[]);
    for compiler in compilers() {
        let binary = build(compiler, "busy", &format!("busy-signal-{compiler}"), &[]);
        let result = run(&binary, &[], &[("OMP_TOOL_LIBRARIES", &library)]);
        let stderr = String::from_utf8_lossy(&result.stderr).into_owned();
        assert!(result.status.success(), "{:?}: {stderr}", result.status);
        let line = stderr.lines().find(|l| l.starts_with("signal_tool: asked=")).expect(&stderr);
        assert!(line.contains(" wrong=0 "), "{stderr}");
        assert!(!line.contains("asked=0 "), "{stderr}");
        println!("{compiler}: {line}");
    }
}

/// `omp_pause_stop_tool`: the tool has a whole life, and the program goes on without it.
#[test]
fn a_program_can_stop_the_tool() {
    let library = tool("gcc", "trace_tool.c", "e2e-stopped.so", &[]);
    let binary = build("gcc", "regions", "regions-stopped", &[]);
    let out = out_file("stopped");
    let variables = [
        ("OMP_TOOL_LIBRARIES", library.as_path()),
        ("TRACE_TOOL_OUT", &out),
        ("STOP_TOOL", Path::new("1")),
    ];
    let result = run(&binary, &[], &variables);
    assert!(result.status.success(), "{:?}", result.status);
    assert_eq!(machine::check(&trace(&out)).regions, 9);
}

/// Regions of changing sizes, nested ones, tasks, locks, again and again: the rules hold all the
/// time.
#[test]
fn a_busy_program() {
    for compiler in compilers() {
        let (seen, _) = observe(compiler, "busy");
        // One and those nested in it, for teams of 2, 3 and 4.
        assert!(seen.regions >= 3 + 4 + 5, "{}", seen.regions);
        println!("{compiler}: {} regions, {} tasks", seen.regions, seen.tasks);
    }
}
