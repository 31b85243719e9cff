//! Tests programs that forbid themselves system calls: a forbidden call ends the program.

mod support;

use std::path::Path;
use std::process::Output;
use support::*;

/// Runs the program with these arguments, profiled or not.
fn tried(scratch: &Scratch, program: &Path, arguments: &[&str], record: &Path) -> Output {
    let mut command = profiled(scratch, program, record);
    command.args(arguments).output().expect("a run")
}

/// True where the program without the profiler does what it is asked to.
fn lives_alone(scratch: &Scratch, program: &Path, arguments: &[&str]) -> bool {
    // No record is asked for.
    let output = tried(scratch, program, arguments, Path::new(""));
    output.status.success()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The profiler makes each of these calls. The record up to there is complete, and says why it
/// ends.
#[test]
fn what_only_the_profiler_calls_does_not_end_the_program() {
    let calls = [
        ("openat", libc::SYS_openat),
        ("pread64", libc::SYS_pread64),
        ("close", libc::SYS_close),
        ("newfstatat", libc::SYS_newfstatat),
        ("getpid", libc::SYS_getpid),
        ("getrusage", libc::SYS_getrusage),
        ("timer_create", libc::SYS_timer_create),
        ("timer_delete", libc::SYS_timer_delete),
    ];
    for scratch in Scratch::each("confined") {
        let program = compile(&scratch, "confined", Compiler::Clang, &[]);
        let mut lived = 0;
        for (at, (name, number)) in calls.into_iter().enumerate() {
            let way = ["process", "threads", "own", "trap"][at % 4];
            let arguments = [way, &number.to_string()];
            if !lives_alone(&scratch, &program, &arguments) {
                continue;
            }
            lived += 1;
            let record = scratch.path(name);
            let output = tried(&scratch, &program, &arguments, &record);
            check(&output);
            assert_eq!(output.stdout, b"alive\n", "{name}");
            let found = read(&record);
            assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true), "{name}");
            assert_eq!(found.regions.iter().map(|site| site.instances).sum::<u64>(), 1, "{name}");
            found.threads.values().for_each(classes_add_up);
            assert!(found.end_note.contains(&format!("({name})")), "{}", found.end_note);
            assert!(said(&output).contains(&found.end_note), "{}", said(&output));
        }
        assert!(lived > 4, "{lived} of the calls are the profiler's alone");
    }
}

/// Calls that the profiler can do without, and calls that it does not make, end no recording.
#[test]
fn other_filters_change_nothing() {
    for scratch in Scratch::each("unconfined") {
        let program = compile(&scratch, "confined", Compiler::Clang, &[]);
        for number in [libc::SYS_process_vm_readv, libc::SYS_ptrace] {
            let record = scratch.path(&number.to_string());
            let output = tried(&scratch, &program, &["threads", &number.to_string()], &record);
            check(&output);
            assert_eq!((output.stdout.as_slice(), said(&output).as_str()), (&b"alive\n"[..], ""));
            let found = read(&record);
            assert_eq!(found.regions.iter().map(|site| site.instances).sum::<u64>(), 4);
            assert!(found.ended && !found.end_note.contains("forbids"), "{}", found.end_note);
        }
    }
}

/// In strict mode a process ends with its last thread: none of the agent's may be left.
#[test]
fn a_strict_program_ends_as_it_would_alone() {
    for scratch in Scratch::each("strict") {
        let program = compile(&scratch, "confined", Compiler::Clang, &[]);
        if !lives_alone(&scratch, &program, &["strict"]) {
            continue;
        }
        let record = scratch.path("record");
        let output = tried(&scratch, &program, &["strict"], &record);
        check(&output);
        assert_eq!(output.stdout, b"alive\n");
        let found = read(&record);
        assert_eq!((found.damage, found.ended), (0, true));
        assert!(found.end_note.contains("all but read, write and exit"), "{}", found.end_note);
    }
}

/// Before OpenMP is used there is no recording to end, and none begins: in the program itself, and
/// in one that it executes.
#[test]
fn a_program_that_confines_itself_first_is_not_recorded() {
    for scratch in Scratch::each("first") {
        let program = compile(&scratch, "confined", Compiler::Clang, &[]);
        for way in ["first", "exec"] {
            let arguments = [way, &libc::SYS_timer_create.to_string()];
            let record = scratch.path(way);
            let output = tried(&scratch, &program, &arguments, &record);
            check(&output);
            assert_eq!(output.stdout, b"alive\n", "{way}");
            assert!(said(&output).contains("nothing is recorded"), "{way}: {}", said(&output));
            assert!(!record.exists(), "{way}");
        }
    }
}
