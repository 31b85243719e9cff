//! Tests several tools at once, of several generations and interfaces, found in several ways: all
//! events are reported to each, whatever its neighbours do.

mod older;
mod runtime;
mod support;

use older::{observe, older_tool};
use runtime::{build, run};
use std::path::{Path, PathBuf};
use support::{compilers, tool};

/// Four tools of four generations, found in three ways, and a Collector client in the program: all
/// events are reported to each, and none disturbs another.
#[test]
fn five_at_once() {
    let [old, middle, ids, data] = ["2013", "2014", "2016-ids", "2016-data"].map(older_tool);
    let preload = format!("{}:{}", old.display(), middle.display());
    for compiler in compilers() {
        let binary = build(
            compiler,
            "collector",
            &format!("five-{compiler}"),
            &["-ldl", "-latomic", "-Wno-unused-function"],
        );
        let variables = [
            ("LD_PRELOAD", Path::new(&preload)),
            ("OMP_TOOL_LIBRARIES", ids.as_path()),
            ("OMPHALOS_TOOL_LIBRARIES", data.as_path()),
        ];
        let (words, stderr) = observe(&binary, &["ids"], &variables);
        assert_eq!(words.len(), 4, "{stderr}");
        for seen in words {
            // The last region is that of a thread that the program makes.
            assert_eq!(seen["regions"], 3 * (1 + 2 + 4) + 1);
            assert_eq!(seen["implicits"], 3 * (2 + 4 + 4) + 2);
        }
    }
}

/// Every library of the list runs, beside a modern tool that was preloaded.
#[test]
fn a_list_of_libraries() {
    let modern = tool("gcc", "trace_tool.c", "earlier-modern.so", &[]);
    let list = format!("{}:{}", older_tool("2016-ids").display(), older_tool("2013").display());
    let binary = build("gcc", "tasks", "tasks-list", &[]);
    let out = support::scratch().join("earlier-list.trace");
    let _ = std::fs::remove_file(&out);
    let variables = [
        ("LD_PRELOAD", modern.as_path()),
        ("OMP_TOOL_LIBRARIES", Path::new(&list)),
        ("TRACE_TOOL_OUT", &out),
    ];
    let (words, stderr) = observe(&binary, &[], &variables);
    assert_eq!(words.len(), 2, "{stderr}");
    assert!(words.iter().all(|seen| seen["tasks"] == 51));
    let lines = support::trace(&out);
    assert_eq!(lines.iter().filter(|line| line.is("task_create")).count(), 51);
}

/// A tool of today, one of 2016, the profiler's agent, and a Collector client in the program: each
/// counts the same regions.
#[test]
fn every_interface_at_once() {
    let agent = runtime::directory().join("omphalos/libomphalos_agent.so");
    let modern = tool("gcc", "trace_tool.c", "earlier-every.so", &[]);
    for compiler in compilers() {
        let flags = ["-ldl", "-latomic", "-Wno-unused-function"];
        let binary = build(compiler, "collector", &format!("every-{compiler}"), &flags);
        let made = |end: &str| support::scratch().join(format!("every-{compiler}.{end}"));
        let (out, profile) = (made("trace"), made("omph"));
        for file in [&out, &profile] {
            let _ = std::fs::remove_file(file);
        }
        let variables = [
            ("LD_PRELOAD", modern.as_path()),
            ("OMP_TOOL_LIBRARIES", &older_tool("2016-data")),
            ("OMPHALOS_TOOL_LIBRARIES", &agent),
            ("TRACE_TOOL_OUT", &out),
            ("OMPHALOS_PROFILE_OUT", &profile),
        ];
        let (words, stderr) = observe(&binary, &["ids"], &variables);
        let regions = 3 * (1 + 2 + 4) + 1;
        assert_eq!(words.len(), 1, "{stderr}");
        assert_eq!(words[0]["regions"], regions);
        let lines = support::trace(&out);
        let begun = lines.iter().filter(|line| line.is("parallel_begin")).count();
        assert_eq!(begun as i64, regions);
        // Each kept its own words: the trace tool gives each thing a number when it is first shown.
        let ends = lines.iter().filter(|line| line.is("parallel_end"));
        assert!(ends.clone().all(|line| line.number("region") > 0), "{lines:?}");
        assert!(std::fs::metadata(&profile).is_ok_and(|file| file.len() > 0), "{compiler}");
    }
}

/// Tools that decline, end themselves or cannot be loaded stand between others: all events are
/// reported to the latter.
#[test]
fn neighbours_that_go_wrong() {
    let bad = |behaviour: &str| {
        let flag = format!("-DBEHAVIOUR={behaviour}");
        tool("gcc", "bad_tool.c", &format!("earlier-bad-{behaviour}.so"), &[&flag])
    };
    let entries = [
        bad("DECLINES"),
        PathBuf::from("/nowhere/not-there.so"),
        bad("NO_INITIALIZER"),
        older_tool("2016-ids"),
        bad("INITIALIZER_DECLINES"),
        PathBuf::from("libc.so.6"),
        bad("FINALIZES_AT_ONCE"),
    ];
    let list: Vec<_> = entries.iter().map(|entry| entry.display().to_string()).collect();
    let list = list.join(":");
    let first = older_tool("2013");
    for compiler in compilers() {
        let binary = build(compiler, "tasks", &format!("tasks-wrong-{compiler}"), &[]);
        let variables = [("LD_PRELOAD", first.as_path()), ("OMP_TOOL_LIBRARIES", Path::new(&list))];
        let (words, stderr) = observe(&binary, &[], &variables);
        assert_eq!(words.len(), 2, "{stderr}");
        assert!(words.iter().all(|seen| seen["tasks"] == 51), "{stderr}");
        for skipped in ["\"/nowhere/not-there.so\"", "\"libc.so.6\"", "gives no initializer"] {
            assert!(stderr.contains(skipped), "{skipped}: {stderr}");
        }
        assert!(!stderr.contains("bad: thread_begin") && !stderr.contains("bad: finalize"));
    }
}

/// OMPT of 2013 has one tool, the first, since its functions have one name each. Tools of other
/// generations run beside it.
#[test]
fn of_2013_there_is_one() {
    let second =
        tool("gcc", &older::source(2013), "older-2013-second.so", &["-Wno-unused-function"]);
    let list = format!("{}:{}", second.display(), older_tool("2016-data").display());
    let first = older_tool("2013");
    let binary = build("gcc", "tasks", "tasks-one-of-2013", &[]);
    let variables = [("LD_PRELOAD", first.as_path()), ("OMP_TOOL_LIBRARIES", Path::new(&list))];
    let (words, stderr) = observe(&binary, &[], &variables);
    assert_eq!(words.len(), 2, "{stderr}");
    assert!(words.iter().all(|seen| seen["tasks"] == 51), "{stderr}");
    assert_eq!(stderr.matches("2013-second.so is not started").count(), 1, "{stderr}");
}

/// A tool that kills the process while it starts does only that: nothing hangs.
#[test]
fn a_tool_that_crashes_while_it_starts() {
    let library = tool("gcc", "bad_tool.c", "earlier-bad-CRASHES.so", &["-DBEHAVIOUR=CRASHES"]);
    let list = format!("{}:{}", older_tool("2016-ids").display(), library.display());
    let binary = build("gcc", "tasks", "tasks-crash", &[]);
    let result = run(&binary, &[], &[("OMP_TOOL_LIBRARIES", Path::new(&list))]);
    // timeout(1) ends by the signal that ended its child.
    let signal = std::os::unix::process::ExitStatusExt::signal(&result.status);
    assert!(signal == Some(6) || result.status.code() == Some(128 + 6), "{:?}", result.status);
}
