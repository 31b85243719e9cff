//! The whole dialect against a stand-in engine: C tools compiled by each compiler, loaded in the
//! ways that the specification names, in a process of their own.

#[path = "../support/engine.rs"]
mod engine;
mod search;
#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{Line, scratch, tool, trace};

/// The task of the child process; unset in the test runner itself.
const PLAY: &str = "OMPHALOS_TEST_PLAY";

/// Plays the engine when this program was started as a child; passes at once otherwise.
#[test]
fn play_the_engine() {
    let Some(play) = std::env::var_os(PLAY) else { return };
    engine::begin();
    engine::play();
    if play == "finalize" {
        engine::finalize_early();
    }
    engine::end();
}

/// Runs the stand-in in a child with these variables.
fn child(play: &str, variables: &[(&str, &Path)]) -> Output {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["play_the_engine", "--exact", "--nocapture", "--test-threads=1"]).env(PLAY, play);
    for name in
        ["OMP_TOOL", "OMP_TOOL_LIBRARIES", "OMPHALOS_TOOL_LIBRARIES", "OMP_TOOL_VERBOSE_INIT"]
    {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied()).output().unwrap()
}

fn out_file(name: &str) -> PathBuf {
    let path = scratch().join(format!("{name}.trace"));
    let _ = std::fs::remove_file(&path);
    path
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn only<'a>(lines: &'a [Line], event: &str) -> &'a Line {
    let found: Vec<&Line> = lines.iter().filter(|line| line.is(event)).collect();
    assert_eq!(found.len(), 1, "{event}: {found:?}");
    found[0]
}

/// All events are reported to the tool, as 5.x wants it, whichever compiler built it.
#[test]
fn every_event_arrives() {
    for compiler in support::compilers() {
        let library = tool(compiler, "trace_tool.c", &format!("trace-{compiler}.so"), &[]);
        let out = out_file(&format!("all-{compiler}"));
        let run = child("all", &[("OMP_TOOL_LIBRARIES", &library), ("TRACE_TOOL_OUT", &out)]);
        assert!(run.status.success(), "{}", text(&run.stderr));
        check_stream(&trace(&out));
        assert!(text(&run.stdout).contains("control=5"), "{}", text(&run.stdout));
    }
}

fn check_stream(lines: &[Line]) {
    for line in lines {
        assert!(!line.is("MISSING") && !line.is("STALE"), "{line:?}");
    }
    let start = only(lines, "start_tool");
    assert_eq!((start.number("version"), start.text("runtime")), (202411, "A stand-in 1.0"));
    let init = only(lines, "initialize");
    assert_eq!((init.number("device"), init.number("data")), (0, 42));
    let lookup = only(lines, "lookup");
    assert_eq!(
        (lookup.number("unknown"), lookup.number("device"), lookup.number("null")),
        (0, 0, 0)
    );
    for odd in lines.iter().filter(|l| l.is("odd")) {
        assert_eq!((odd.number("set"), odd.number("get")), (0, 0), "{odd:?}");
    }
    let set: Vec<&Line> = lines.iter().filter(|l| l.is("set")).collect();
    assert_eq!(set.len(), 25);
    assert!(set.iter().all(|l| matches!(l.number("result"), 3 | 5) && l.number("kept") == 1));
    assert_eq!(only(lines, "removed").number("result"), 5);
    assert_eq!(only(lines, "removed").number("get"), 0);
    assert_eq!(only(lines, "enumerated").number("states"), 21);

    let begin = only(lines, "parallel_begin");
    assert_eq!(begin.hex("flags"), 0x8000_0001);
    assert_eq!((begin.number("requested"), begin.hex("ra")), (3, 0xabc));
    assert_eq!((begin.hex("enter"), begin.hex("enter_flags")), (0x7000, 0x10));
    let tasks: Vec<&Line> = lines.iter().filter(|l| l.event.starts_with("implicit_task")).collect();
    let begins: Vec<(u64, u64)> =
        tasks[..2].iter().map(|l| (l.number("parallelism"), l.number("index"))).collect();
    assert_eq!(begins, [(1, 1), (2, 1)]);
    for end in &tasks[2..] {
        // The region is over for the task; its size means nothing any more.
        assert_eq!((end.number("region"), end.number("parallelism")), (0, 0), "{end:?}");
    }
    assert_eq!(only(lines, "parallel_end").number("region"), begin.number("region"));
    for (kind, at_end) in [("3", begin.number("region")), ("9", 0)] {
        for event in ["sync_region end", "sync_region_wait end"] {
            let line = lines.iter().find(|l| l.is(event) && l.text("kind") == kind).unwrap();
            assert_eq!(line.number("region"), at_end, "{line:?}");
        }
    }
    assert_eq!(only(lines, "reduction begin").number("kind"), 7);
    assert_eq!(only(lines, "work end").number("count"), 100);
    let parts: Vec<(u64, u64, u64)> = lines
        .iter()
        .filter(|l| l.is("dispatch"))
        .map(|l| (l.number("kind"), l.number("first"), l.number("count")))
        .collect();
    assert_eq!(parts, [(3, 10, 5), (2, 0x99, 1), (1, 7, 1)]);
    let create = only(lines, "task_create");
    assert_eq!((create.hex("flags"), create.number("dependences")), (0x1000_0004, 1));
    assert_eq!(only(lines, "dependences").number("first_type"), 3);
    let schedules: Vec<(u64, u64)> = lines
        .iter()
        .filter(|l| l.is("task_schedule"))
        .map(|l| (l.number("status"), l.number("next")))
        .collect();
    assert_eq!(schedules, [(7, create.number("task")), (6, 0)]);
    for event in ["mutex_acquire", "mutex_acquired", "mutex_released", "lock_init", "lock_destroy"]
    {
        let line = only(lines, event);
        assert_eq!((line.number("kind"), line.hex("wait")), (5, 0x60));
    }
    assert_eq!(only(lines, "mutex_acquire").number("hint"), 2);
    assert_eq!(only(lines, "error").text("message"), "out of luck");
    check_inquiries(lines, begin.number("region"));
    let end = lines.last().unwrap();
    assert!(end.is("finalize"), "{end:?}");
    assert_eq!((end.number("data"), end.number("same")), (4711, 1));
}

fn check_inquiries(lines: &[Line], region: u64) {
    let state = only(lines, "state");
    assert_eq!((state.hex("value"), state.hex("wait")), (0x41, 0x1234));
    let regions: Vec<(u64, u64)> = lines
        .iter()
        .filter(|l| l.is("parallel_info"))
        .map(|l| (l.number("result"), l.number("region")))
        .collect();
    assert_eq!((regions.len(), regions[0], regions[2]), (3, (2, region), (0, 0)));
    let tasks: Vec<(&str, &str, &str)> = lines
        .iter()
        .filter(|l| l.is("task_info"))
        .map(|l| (l.text("result"), l.text("flags"), l.text("number")))
        .collect();
    let unset = ("1", "ffffffff", "-1");
    assert_eq!(tasks, [("2", "2", "1"), unset, ("2", "1", "0"), ("0", "ffffffff", "-1")]);
    assert_eq!(only(lines, "negative").number("task"), 0);
    let memory = only(lines, "task_memory");
    assert_eq!((memory.number("more"), memory.number("bytes")), (1, 64));
    assert_eq!(only(lines, "target_info").number("result"), 0);
    assert_eq!(only(lines, "unique_id").number("fresh"), 1);
    let places = only(lines, "places");
    // Never more than fits is written, and the true number is returned.
    assert_eq!((places.text("ids"), places.number("needed")), ("5,6,-9", 3));
    let partition = only(lines, "partition");
    assert_eq!((partition.text("nums"), partition.number("null")), ("0,-9", 2));
}

/// No event is reported to a tool that has ended itself, and it is not ended twice.
#[test]
fn a_tool_can_end_itself() {
    let library = tool("gcc", "trace_tool.c", "trace-finalize.so", &[]);
    let out = out_file("finalize");
    let run = child("finalize", &[("OMP_TOOL_LIBRARIES", &library), ("TRACE_TOOL_OUT", &out)]);
    assert!(text(&run.stdout).contains("active=false"), "{}", text(&run.stdout));
    let lines = trace(&out);
    only(&lines, "finalize");
    assert_eq!(only(&lines, "after_finalize").number("set"), 0);
    assert!(lines.last().unwrap().is("after_finalize"));
}

/// A tool in the address space comes first, then those of both lists, each with words of its own; a
/// library that is not there disturbs none.
#[test]
fn three_tools_share_nothing() {
    let first = tool("gcc", "trace_tool.c", "trace-preloaded.so", &[]);
    let second = tool("gcc", "trace_tool.c", "trace-beside.so", &["-DTRACE_BESIDE"]);
    let third = tool("gcc", "trace_tool.c", "trace-listed.so", &["-DTRACE_LISTED"]);
    let out = out_file("three");
    // Naming the first one again starts it no second time.
    let listed = format!("/nowhere/not-there.so:{}", third.display());
    let beside = format!("{}:{}", first.display(), second.display());
    let run = child(
        "all",
        &[
            ("LD_PRELOAD", &first),
            ("OMP_TOOL_LIBRARIES", Path::new(&listed)),
            ("OMPHALOS_TOOL_LIBRARIES", Path::new(&beside)),
            ("TRACE_TOOL_OUT", &out),
        ],
    );
    assert!(run.status.success());
    assert_eq!(text(&run.stderr).matches("it is skipped").count(), 1, "{}", text(&run.stderr));
    let lines = trace(&out);
    for event in ["thread_begin", "parallel_begin", "task_create", "finalize"] {
        assert_eq!(lines.iter().filter(|l| l.is(event)).count(), 3, "{event}");
    }
    assert!(!lines.iter().any(|l| l.is("STALE")), "a word was seen by two");
}

/// A tool that does not want to run after all takes no slot, and its callbacks are gone.
#[test]
fn who_declines_leaves_room() {
    let declining = (0..6).map(|n| {
        let flag = format!("-DBEHAVIOUR={}", ["INITIALIZER_DECLINES", "FINALIZES_AT_ONCE"][n % 2]);
        tool("gcc", "bad_tool.c", &format!("bad-room-{n}.so"), &[&flag])
    });
    let wanting = (0..5).map(|n| {
        tool("gcc", "trace_tool.c", &format!("trace-room-{n}.so"), &[&format!("-DTRACE_ROOM_{n}")])
    });
    let list: Vec<_> = declining.chain(wanting).map(|path| path.display().to_string()).collect();
    let out = out_file("room");
    let list = list.join(":");
    let run = child("all", &[("OMP_TOOL_LIBRARIES", Path::new(&list)), ("TRACE_TOOL_OUT", &out)]);
    assert!(run.status.success());
    let stderr = text(&run.stderr);
    assert_eq!(stderr.matches("bad: initialize").count(), 6, "{stderr}");
    // Four run, the fifth does not; no other tool is turned away.
    assert_eq!(stderr.matches("4 tools run already").count(), 1, "{stderr}");
    assert!(stderr.contains("trace-room-4.so is not started"), "{stderr}");
    assert!(!stderr.contains("bad: thread_begin") && !stderr.contains("bad: finalize"));
    let lines = trace(&out);
    for event in ["thread_begin", "parallel_begin", "task_create", "finalize"] {
        assert_eq!(lines.iter().filter(|l| l.is(event)).count(), 4, "{event}");
    }
    assert!(!lines.iter().any(|l| l.is("STALE")), "a word was not empty");
}

/// Fewer events are reported to a tool that registers for fewer.
#[test]
fn only_what_was_asked_for_arrives() {
    let library = tool("gcc", "trace_tool.c", "trace-only.so", &[]);
    let out = out_file("only");
    let only = Path::new("work,mutex_acquired");
    child(
        "all",
        &[("OMP_TOOL_LIBRARIES", &library), ("TRACE_TOOL_OUT", &out), ("TRACE_TOOL_ONLY", only)],
    );
    let heard: Vec<String> =
        trace(&out).into_iter().skip_while(|l| !l.is("image")).skip(1).map(|l| l.event).collect();
    assert_eq!(heard, ["work begin", "work end", "mutex_acquired", "finalize"]);
}
