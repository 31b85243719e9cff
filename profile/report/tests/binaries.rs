//! Programs as users have them: position-dependent, stripped, with separate debug files, changed
//! since they were recorded; and the names of their criticals.

mod support;

use std::collections::BTreeSet;

use omphalos_profile_format::MutexSiteTotal;
use support::sources::*;
use support::{Recorder, all_calls, build, expected, region_total, stacks, state};

const BASE: u64 = 0x5555_5555_0000;

#[test]
fn position_dependent_programs_are_read_too() {
    let built = build("gcc", "test.c", C_SOURCE, &["-O2", "-no-pie"]);
    let mut recorder = Recorder::new(&[(0x40_0000, 1 << 20, built.path(), 0)]);
    for call in all_calls(&built, &["GOMP_parallel@plt"]) {
        recorder.push(0, region_total(call, 1));
    }
    let analysis = recorder.analyse();
    let found: BTreeSet<_> =
        analysis.regions().iter().map(|row| row.construct.label.to_string()).collect();
    assert_eq!(found, expected(&C_CONSTRUCTS[..4]));
}

#[test]
fn separate_debug_files_give_lines() {
    let built = build("gcc", "test.c", C_SOURCE, &["-O2", "-Wl,--build-id"]);
    let debug = built.folder().join("program.debug");
    let run = |program: &str, args: &[&std::ffi::OsStr]| {
        let status = std::process::Command::new(program)
            .args(args)
            .current_dir(built.folder())
            .status()
            .expect("binutils run");
        assert!(status.success());
    };
    run("objcopy", &["--only-keep-debug".as_ref(), built.program.as_ref(), debug.as_ref()]);
    run("objcopy", &["--strip-all".as_ref(), built.program.as_ref()]);
    let link = format!("--add-gnu-debuglink={}", debug.display());
    run("objcopy", &[link.as_ref(), built.program.as_ref()]);
    // The functions have no names here, so an unstripped twin tells their addresses.
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
    for call in call_addresses(C_SOURCE) {
        recorder.push(0, region_total(BASE + call, 1));
    }
    let labels: BTreeSet<_> =
        recorder.analyse().regions().iter().map(|row| row.construct.label.to_string()).collect();
    assert_eq!(labels, expected(&C_CONSTRUCTS[..4]));
}

/// Returns the region calls of an unstripped twin of a program.
fn call_addresses(source: &str) -> Vec<u64> {
    let twin = build("gcc", "test.c", source, &["-O2", "-Wl,--build-id"]);
    all_calls(&twin, &["GOMP_parallel@plt"])
}

#[test]
fn a_stripped_program_gives_offsets_and_dynamic_names() {
    let built = build("gcc", "test.c", C_SOURCE, &["-O2", "-rdynamic"]);
    let calls = all_calls(&built, &["GOMP_parallel@plt"]);
    let solve = built.calls("solve", "GOMP_parallel@plt")[0];
    built.strip(&["--strip-all"]);
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
    for call in &calls {
        recorder.push(0, region_total(BASE + call, 1));
    }
    let analysis = recorder.analyse();
    let labels: Vec<_> =
        analysis.regions().iter().map(|row| row.construct.label.to_string()).collect();
    let expected = format!("region at program+{solve:#x} in solve");
    assert!(labels.contains(&expected), "{expected} in {labels:?}");
    assert!(labels.iter().any(|label| label.ends_with(" in main")), "{labels:?}");
}

#[test]
fn a_changed_program_is_not_believed() {
    let built = build("gcc", "test.c", C_SOURCE, &["-O2", "-Wl,--build-id"]);
    let mut recorder = Recorder::new(&[]);
    let module = omphalos_profile_format::Module {
        base: BASE,
        end: BASE + (1 << 20),
        file_offset: 0,
        path: built.path().as_bytes(),
        build_id: b"another build",
        flags: 0,
    };
    recorder.push(0, module);
    recorder.push(0, region_total(BASE + 0x1200, 1));
    let analysis = recorder.analyse();
    assert_eq!(&*analysis.regions()[0].construct.label, "region at program+0x1200");
    assert!(analysis.warnings()[0].contains("is another build"), "{:?}", analysis.warnings());
}

#[test]
fn criticals_have_their_names() {
    for compiler in ["gcc", "clang-19"] {
        let built = build(compiler, "test.c", C_SOURCE, &["-O2"]);
        let enters =
            ["GOMP_critical_name_start@plt", "GOMP_critical_start@plt", "__kmpc_critical@plt"];
        let calls = all_calls(&built, &enters);
        assert_eq!(calls.len(), 2, "{compiler}");
        let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
        for (i, call) in calls.iter().enumerate() {
            let total = MutexSiteTotal {
                wait_id: 0x7000_0000 + i as u64, // on the runtime's heap
                mutex_kind: 5,
                codeptr_ra: BASE + call,
                acquisitions: 10,
                contended: 1,
                wait: 100 - i as u64,
                longest_wait: 10,
                hold: 10,
            };
            recorder.push(0, total);
        }
        let analysis = recorder.analyse();
        let rows: Vec<_> = analysis
            .mutexes()
            .iter()
            .map(|row| format!("{}, {}", row.name, row.sites[0].0.label))
            .collect();
        let named = "critical (hot), test.c:38 in main";
        let unnamed = "critical (unnamed), test.c:40 in main";
        assert_eq!(rows, [named, unnamed], "{compiler}");
    }
}

/// A function of the C library is one frame, whether a sample met the function itself or the
/// program's stub.
#[test]
fn a_stub_is_the_function_that_it_leads_to() {
    const LIBC: u64 = 0x7f00_0000_0000;
    let source = "long tick(void); long work(void) { return tick() + 1; }\n\
                  long run(void) { return work() + 1; }";
    let built = build("gcc", "test.c", source, &["-shared", "-fPIC", "-O1"]);
    let libc = build("gcc", "libc.c", "long tick(void) { return 7; }", &["-shared", "-fPIC"]);
    let tick = LIBC + libc.function("tick").0;
    let path = libc.folder().join("libc.so.6");
    std::fs::rename(&libc.program, &path).unwrap();
    let mut recorder = Recorder::new(&[
        (BASE, 1 << 20, built.path(), 0),
        (LIBC, 1 << 20, path.to_str().unwrap(), 0),
    ]);
    let called = |by, callee| BASE + built.calls(by, callee)[0];
    let (work, run) = (called("work", "tick@plt"), called("run", "work@plt"));
    recorder.sample(0, state::SERIAL, 0, &[BASE + built.stub("tick"), work, run]);
    recorder.sample(0, state::SERIAL, 0, &[tick + 4, work, run]);
    let analysis = recorder.analyse();
    assert_eq!(stacks(&analysis), ["run;work;tick"; 2]);
    let folded = omphalos_report::folded::render(&analysis);
    assert_eq!(folded.lines().count(), 1, "{folded}");
}
