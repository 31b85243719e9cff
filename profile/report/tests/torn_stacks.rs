//! Stacks that end in code that cannot be walked through.

mod support;

use omphalos_profile_format::module_flag;
use support::{Recorder, stacks, state};

const APP: u64 = 0x40_0000;
const RUNTIME: u64 = 0x50_0000;
/// The program's begin, its region, the region's body, and the function that it calls.
const START: u64 = APP + 0x10;
const REGION: u64 = APP + 0x110;
const BODY: u64 = APP + 0x210;
const KERNEL: u64 = APP + 0x310;

fn recorder() -> Recorder {
    Recorder::new(&[
        (APP, 0x1000, "/nowhere/app", 0),
        (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
    ])
}

/// The known frames stand within their region, not around it.
#[test]
fn a_torn_stack_lies_within_its_region() {
    let mut recorder = recorder();
    let fork = [RUNTIME + 1, REGION, START];
    recorder.fork(0, 1, 0, REGION, &fork);
    recorder.sample(0, state::PARALLEL, 1, &[KERNEL, BODY, RUNTIME + 9, REGION, START]);
    recorder.sample(0, state::PARALLEL, 1, &[KERNEL]);
    recorder.task_sample(0, state::PARALLEL, 1, &[KERNEL], APP + 0x410);
    let found = stacks(&recorder.analyse());
    let [whole, torn, in_task] = &found[..] else { panic!("{found:?}") };
    assert_eq!(torn, whole);
    let (outside, leaf) = whole.rsplit_once(';').expect("a path");
    assert_eq!(in_task, &format!("{outside};task at app+0x410;{leaf}"));
}

/// A stack whose outermost frames are missing, down to the call that made the region.
#[test]
fn a_stack_with_its_regions_call_begins_outside() {
    let mut recorder = recorder();
    recorder.fork(0, 1, 0, REGION, &[RUNTIME + 1, REGION, START]);
    recorder.sample(0, state::PARALLEL, 1, &[KERNEL, BODY, RUNTIME + 9, REGION, START]);
    recorder.sample(0, state::IMPLICIT_BARRIER, 1, &[RUNTIME + 5, REGION, APP + 0x510]);
    let found = stacks(&recorder.analyse());
    let [whole, waits] = &found[..] else { panic!("{found:?}") };
    let (whole, waits): (Vec<_>, Vec<_>) = (whole.split(';').collect(), waits.split(';').collect());
    assert_eq!(waits[1..3], whole[1..3], "{found:?}");
    assert_eq!(waits[3..], ["<omp implicit barrier>"], "{found:?}");
}
