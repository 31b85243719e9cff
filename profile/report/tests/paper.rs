//! Joining, on the examples of the 2007 white paper and of later features: nested regions, tasks.
//!
//! The modules have no files, so functions are named by their offsets, as in a stripped program.

mod support;

use omphalos_profile_format::{Module, PROCESS_CHUNK, Sample, module_flag};
use support::{Recorder, START as PROGRAM_START, stacks, state};

const APP: u64 = 0x40_0000;
const RUNTIME: u64 = 0x7f00_0000_0000;
const LIBC: u64 = 0x7f10_0000_0000;
const AGENT: u64 = 0x7f20_0000_0000;

// Return addresses: one more than the names below show.
const MAIN: u64 = APP + 0x101;
const FOO: u64 = APP + 0x201;
const REGION_SITE: u64 = FOO;
const BODY: u64 = APP + 0x301;
const INNER_BODY: u64 = APP + 0x401;
const TASK_BODY: u64 = APP + 0x501;
const TASK_SITE: u64 = APP + 0x311;
const FORK: u64 = RUNTIME + 0x11;
const INVOKE: u64 = RUNTIME + 0x21;
const WORKER: u64 = RUNTIME + 0x31;
const BARRIER: u64 = RUNTIME + 0x40;
const START: u64 = LIBC + 0x11;
const THREAD_START: u64 = LIBC + 0x21;
const CALLBACK: u64 = AGENT + 0x11;

const FOO_REGION: &str = "app+0x100;app+0x200;region at app+0x201";

fn recorder() -> Recorder {
    let mut recorder = Recorder::new(&[
        (APP, 0x1000, "/nowhere/app", 0),
        (RUNTIME, 0x1000, "/nowhere/libsome.so", module_flag::RUNTIME),
        (LIBC, 0x1000, "/nowhere/libc.so.6", 0),
        (AGENT, 0x1000, "/nowhere/libagent.so", module_flag::AGENT),
    ]);
    recorder.thread(0, 1);
    recorder.thread(1, 2);
    recorder
}

/// main calls foo, foo forks region 1; the agent is told in the runtime's name.
fn fork_in_foo(recorder: &mut Recorder) {
    recorder.fork(0, 1, 0, REGION_SITE, &[CALLBACK, FORK, FOO, MAIN, START]);
}

#[test]
fn primary_and_worker_get_one_stack() {
    let mut recorder = recorder();
    fork_in_foo(&mut recorder);
    recorder.sample(0, state::PARALLEL, 1, &[BODY - 1, INVOKE, FORK, FOO, MAIN, START]);
    recorder.sample(1, state::PARALLEL, 1, &[BODY - 1, INVOKE, WORKER, THREAD_START]);
    assert_eq!(stacks(&recorder.analyse()), [FOO_REGION, FOO_REGION]);
}

#[test]
fn functions_called_in_the_region_stand_above_it() {
    let mut recorder = recorder();
    fork_in_foo(&mut recorder);
    let leaf = APP + 0x600;
    recorder.sample(0, state::PARALLEL, 1, &[leaf, BODY, INVOKE, FORK, FOO, MAIN, START]);
    recorder.sample(1, state::PARALLEL, 1, &[leaf, BODY, INVOKE, WORKER, THREAD_START]);
    let expected = format!("{FOO_REGION};app+0x600");
    assert_eq!(stacks(&recorder.analyse()), [expected.clone(), expected]);
}

#[test]
fn a_worker_between_regions_is_idle_and_no_barrier_is_a_root() {
    let mut recorder = recorder();
    fork_in_foo(&mut recorder);
    // It has left the region; for a moment its state is that of the closing barrier.
    recorder.sample(1, state::IMPLICIT_BARRIER, 0, &[BARRIER, WORKER, THREAD_START]);
    recorder.sample(1, state::IMPLICIT_BARRIER, 0, &[]);
    // In a task of the program's own, the barrier's state may be seen outside all regions, too.
    recorder.sample(0, state::IMPLICIT_BARRIER, 0, &[BARRIER, FORK, FOO, MAIN, START]);
    let of_program = "app+0x100;app+0x200;<omp implicit barrier>";
    assert_eq!(stacks(&recorder.analyse()), ["<omp idle>", "<omp idle>", of_program]);
}

#[test]
fn waits_become_pseudo_frames_under_the_region() {
    let mut recorder = recorder();
    fork_in_foo(&mut recorder);
    // The closing barrier: the body has returned on both threads.
    recorder.sample(0, state::IMPLICIT_BARRIER, 1, &[BARRIER, FORK, FOO, MAIN, START]);
    recorder.sample(1, state::IMPLICIT_BARRIER, 1, &[BARRIER, WORKER, THREAD_START]);
    recorder.sample(
        1,
        state::EXPLICIT_BARRIER,
        1,
        &[LIBC + 0x40, BARRIER + 1, BODY, INVOKE, WORKER, THREAD_START],
    );
    recorder.sample(1, state::CRITICAL, 1, &[BARRIER, BODY, INVOKE, WORKER, THREAD_START]);
    recorder.sample(0, state::OVERHEAD, 1, &[BARRIER, FORK, FOO, MAIN, START]);
    // The runtime is at work, without a state that says so.
    recorder.sample(0, state::PARALLEL, 1, &[BARRIER, BODY, INVOKE, FORK, FOO, MAIN, START]);
    assert_eq!(
        stacks(&recorder.analyse()),
        [
            format!("{FOO_REGION};<omp implicit barrier>"),
            format!("{FOO_REGION};<omp implicit barrier>"),
            format!("{FOO_REGION};<omp explicit barrier>"),
            format!("{FOO_REGION};<omp critical wait>"),
            format!("{FOO_REGION};<omp overhead>"),
            format!("{FOO_REGION};<omp overhead>"),
        ]
    );
}

#[test]
fn an_idle_worker_is_one_frame() {
    let mut recorder = recorder();
    recorder.sample(1, state::IDLE, 0, &[BARRIER, WORKER, THREAD_START]);
    assert_eq!(stacks(&recorder.analyse()), ["<omp idle>"]);
}

#[test]
fn serial_code_keeps_its_stack_and_loses_what_starts_programs() {
    let mut recorder = recorder();
    // libc between the program's own _start and main.
    recorder.sample(0, state::SERIAL, 0, &[FOO - 1, MAIN, START, START, APP + 0x11]);
    recorder.sample(0, state::SERIAL, 0, &[LIBC + 0x100, MAIN, START]);
    assert_eq!(stacks(&recorder.analyse()), ["app+0x100;app+0x200", "app+0x100;libc.so.6+0x100"]);
}

#[test]
fn nested_regions_join_through_the_thread_that_encountered_each() {
    let mut recorder = recorder();
    recorder.thread(2, 2);
    fork_in_foo(&mut recorder);
    // The worker of region 1 forks region 2 inside the body.
    recorder.fork(1, 2, 1, BODY, &[FORK, BODY, INVOKE, WORKER, THREAD_START]);
    let inner = &[INNER_BODY - 1, INVOKE, FORK, BODY, INVOKE, WORKER, THREAD_START];
    recorder.sample(1, state::PARALLEL, 2, inner);
    recorder.sample(2, state::PARALLEL, 2, &[INNER_BODY - 1, INVOKE, WORKER, THREAD_START]);
    recorder.sample(2, state::IMPLICIT_BARRIER, 2, &[BARRIER, WORKER, THREAD_START]);
    let region = format!("{FOO_REGION};region at app+0x301");
    assert_eq!(
        stacks(&recorder.analyse()),
        [region.clone(), region.clone(), format!("{region};<omp implicit barrier>")]
    );
}

#[test]
fn nested_regions_on_one_stack() {
    let mut recorder = recorder();
    fork_in_foo(&mut recorder);
    let outer = [BODY, INVOKE, FORK, FOO, MAIN, START];
    recorder.fork(0, 2, 1, BODY, &[&[FORK][..], &outer].concat());
    recorder.sample(0, state::PARALLEL, 2, &[&[INNER_BODY - 1, INVOKE, FORK][..], &outer].concat());
    assert_eq!(stacks(&recorder.analyse()), [format!("{FOO_REGION};region at app+0x301")]);
}

#[test]
fn explicit_tasks_stand_below_the_region_that_they_run_in() {
    let mut recorder = recorder();
    fork_in_foo(&mut recorder);
    // In the closing barrier, on a worker, and inside a taskwait of the primary's body.
    let in_barrier = [TASK_BODY - 1, BARRIER + 1, WORKER, THREAD_START];
    recorder.task_sample(1, state::PARALLEL, 1, &in_barrier, TASK_SITE);
    let in_taskwait = [TASK_BODY - 1, BARRIER + 1, BODY, INVOKE, FORK, FOO, MAIN, START];
    recorder.task_sample(0, state::PARALLEL, 1, &in_taskwait, TASK_SITE);
    // A task that waits for its children.
    let waiting = [BARRIER, TASK_BODY, BARRIER + 1, WORKER, THREAD_START];
    recorder.task_sample(1, state::TASKWAIT, 1, &waiting, TASK_SITE);
    let task = format!("{FOO_REGION};task at app+0x311");
    assert_eq!(
        stacks(&recorder.analyse()),
        [task.clone(), task.clone(), format!("{task};<omp taskwait>")]
    );
}

#[test]
fn a_fork_without_a_stack_borrows_that_of_the_same_construct() {
    let mut recorder = recorder();
    fork_in_foo(&mut recorder);
    recorder.fork(0, 7, 0, REGION_SITE, &[]);
    recorder.sample(1, state::PARALLEL, 7, &[BODY - 1, INVOKE, WORKER, THREAD_START]);
    assert_eq!(stacks(&recorder.analyse()), [FOO_REGION]);
}

/// Regions whose stack equals that of the one before have no record of their own.
#[test]
fn a_fork_without_a_record_is_like_the_one_before() {
    let mut recorder = recorder();
    recorder.fork(0, 3, 0, REGION_SITE, &[FORK, FOO, MAIN, START]);
    recorder.fork(0, 6, 0, REGION_SITE, &[FORK, FOO, FOO - 0x40, MAIN, START]);
    let body = recorder.stack(1, &[BODY - 1, INVOKE, WORKER, THREAD_START]);
    for region in [2, 3, 5, 6, 9] {
        recorder.push(
            1,
            Sample {
                time: PROGRAM_START + region,
                thread: 1,
                state: state::PARALLEL,
                wait_id: 0,
                stack: body,
                region,
                region_codeptr: REGION_SITE,
                thread_num: 1,
                task_flags: 2,
                task_codeptr: 0,
                cpu_time: 0,
                weight: 1,
            },
        );
    }
    let found = stacks(&recorder.analyse());
    assert_eq!(found[..3], [FOO_REGION; 3]);
    assert_ne!(found[3], FOO_REGION);
    assert_eq!(found[3], found[4]);
}

#[test]
fn a_construct_that_was_never_captured_keeps_its_function() {
    let mut recorder = recorder();
    recorder.fork(0, 7, 0, REGION_SITE, &[]);
    recorder.sample(1, state::PARALLEL, 7, &[BODY - 1, INVOKE, WORKER, THREAD_START]);
    assert_eq!(stacks(&recorder.analyse()), ["app+0x200;region at app+0x201"]);
}

#[test]
fn a_cycle_of_regions_ends() {
    let mut recorder = recorder();
    recorder.fork(1, 1, 2, REGION_SITE, &[FORK, BODY, INVOKE, WORKER, THREAD_START]);
    recorder.fork(0, 2, 1, BODY, &[FORK, BODY, INVOKE, WORKER, THREAD_START]);
    recorder.sample(0, state::PARALLEL, 1, &[BODY - 1, INVOKE, WORKER, THREAD_START]);
    recorder.sample(1, state::PARALLEL, 2, &[BODY - 1, INVOKE, WORKER, THREAD_START]);
    assert_eq!(recorder.analyse().samples().count(), 2);
}

/// The kernel's code in a process has no file: its addresses are no functions.
#[test]
fn the_vdso_is_one_frame() {
    const VDSO: u64 = 0x7ffe_0000_0000;
    let mut recorder = recorder();
    let module = Module {
        base: VDSO,
        end: VDSO + 0x1000,
        file_offset: 0,
        path: b"linux-vdso.so.1",
        build_id: b"",
        flags: 0,
    };
    recorder.push(PROCESS_CHUNK, module);
    for at in [0xb46, 0xb50] {
        recorder.sample(0, state::SERIAL, 0, &[VDSO + at, FOO, MAIN, START]);
    }
    assert_eq!(stacks(&recorder.analyse()), ["app+0x100;app+0x200;[vdso]"; 2]);
}

/// A function that calls itself, through another one or not, is one frame of the paths.
#[test]
fn recursion_is_one_frame() {
    let mut recorder = recorder();
    for depth in 0..5 {
        let mut pcs = vec![FOO - 1];
        for _ in 0..depth {
            pcs.extend([MAIN, FOO]);
        }
        pcs.extend([MAIN, START]);
        recorder.sample(0, state::SERIAL, 0, &pcs);
    }
    assert_eq!(stacks(&recorder.analyse()), ["app+0x100;app+0x200"; 5]);
}

/// An address has one name: the report says that the name of earlier code there is missing.
#[test]
fn a_library_in_the_place_of_another_is_told() {
    const PLACE: u64 = 0x6000_0000_0000;
    let warnings = |libraries: &[&'static [u8]]| {
        let mut recorder = recorder();
        for path in libraries {
            let (base, end) = (PLACE, PLACE + 0x1000);
            let module = Module { base, end, file_offset: 0, path, build_id: b"", flags: 0 };
            recorder.push(PROCESS_CHUNK, module);
        }
        recorder.sample(0, state::SERIAL, 0, &[FOO, MAIN, START]);
        recorder.analyse().warnings().join("\n")
    };
    let told = warnings(&[b"/one.so", b"/two.so", b"/two.so", b"/one.so", b"/two.so"]);
    assert_eq!(told.matches("'/one.so' was unloaded and '/two.so' took its place").count(), 1);
    assert!(!warnings(&[b"/one.so", b"/one.so"]).contains("unloaded"));
}
