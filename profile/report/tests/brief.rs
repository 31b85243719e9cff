//! The report on two screens: its content, and its greatest length.

mod support;

use omphalos_profile_format::*;
use omphalos_report::Analysis;
use omphalos_report::text::{self, TextOptions};
use support::imbalanced::{APP, MS, RUNTIME, imbalanced};
use support::{Recorder, region_total, state, thread_total};

/// Two screens of 45 lines.
const TWO_SCREENS: usize = 90;

/// How long the large program runs, ns.
const RUN: u64 = 60_000 * MS;

const EXPECTED: &str = "\
Omphalos profile of ./app --fast
  runtime    a runtime
  elapsed    900.0 ms with 2 threads on 2 CPUs; 0 ns serial, outside of regions
  profiling  cost 1.0 ms of all threads' time (0.1 %)
  threads    were 67 % at work, 33 % waiting for other threads

Diagnosis
  1. load imbalance: region at app+0x201
     the busiest thread works 900.0 ms where the mean is 600.0 ms: perfect balance would give back
     300.0 ms of the region's 900.0 ms (33 %)
     to do, to gain up to 300.0 ms of 900.0 ms elapsed: give each thread the same work:
     schedule(dynamic) or (guided), smaller chunks, or tasks

Parallel regions by their share of the run, and what their threads did (%)
  region     of the run  entered  threads  work  wait  overhead      gain
  app+0x201       100 %    1,234        2    67    33         0  300.0 ms
  wait: for other threads, locks or tasks; overhead: in the OpenMP runtime and the profiler; gain:
  elapsed time that perfect balance would give back

Hottest call paths (percent of all threads' time, from samples)
   100 %  app+0x200 (2 functions without names)
   100 %   region at app+0x201
    43 %     app+0x400
    14 %     <omp implicit barrier>

Functions and constructs by their own time (from samples)
    43 %    3.0 ms  app+0x400
    43 %    3.0 ms  region at app+0x201
    14 %    1.0 ms  <omp implicit barrier>

Looked for
  not found: contention, serial time, tasks too small, too few tasks at a time, task too long,
  region of one thread, too many tiny regions, loops too small, blocked in calls, runtime overhead,
  waits in many regions, nested parallelism, oversubscription. Not seen, and counted as Work: false
  sharing, contended variables, page faults, memory bandwidth, denormal numbers, pages that lie at
  another processor

Notes
  warning: the timer was refused
  warning: '/nowhere/app' cannot be read: no names from it

More
  `omphalos report --all FILE` has every table: threads, regions with their callers, functions
";

fn brief(analysis: &Analysis, width: usize) -> String {
    text::render(analysis, &TextOptions { width, all: false, ..TextOptions::default() })
}

#[test]
fn two_screens_have_the_answer() {
    assert_eq!(brief(&imbalanced(), 100), EXPECTED);
}

/// A program with many of everything: troubled regions, nested ones, tasks, locks, warnings.
fn much() -> Analysis {
    let mut recorder = Recorder::new(&[
        (APP, 0x10_0000, "/nowhere/app", 0),
        (RUNTIME, 0x1000, "/nowhere/libsome.so", module_flag::RUNTIME),
    ]);
    for thread in 0..64 {
        recorder.thread(thread, if thread == 0 { 1 } else { 2 });
        let work = if thread == 0 { RUN } else { RUN / 1_000 };
        recorder.push(thread, thread_total(thread, work, RUN - work));
    }
    for at in 0..200 {
        let codeptr_ra = APP + 0x201 + 0x100 * at;
        let (elapsed, gain) = match at {
            0..8 => ((5_000 - at) * MS, 4_000 * MS),
            _ => ((200 - at) * MS, 0),
        };
        let (work, barrier_wait) = (64 * elapsed / 4, 64 * elapsed / 4 * 3);
        let (imbalance, team_size_sum) = (64 * gain, 64);
        let total = region_total(codeptr_ra, 1);
        let total = RegionSiteTotal {
            elapsed,
            work,
            barrier_wait,
            imbalance,
            gain,
            team_size_sum,
            ..total
        };
        recorder.push(0, total);
        let created = 5_000;
        let task = TaskSiteTotal {
            codeptr_ra: codeptr_ra + 8,
            created,
            executed: created,
            stolen: 7,
            work: 1_000,
            shortest: 0,
            longest: 0,
        };
        recorder.push(0, task);
        recorder.fork(0, at + 1, 0, codeptr_ra, &[RUNTIME + 1, codeptr_ra, APP + 0x101]);
        for deep in 0..20 {
            let body = APP + 0x300 + 0x100 * at;
            let pcs = [APP + 0x8_0000 + 0x100 * deep, body, RUNTIME + 1, codeptr_ra, APP + 0x101];
            recorder.sample(0, state::PARALLEL, at + 1, &pcs);
        }
        let text = format!("something was refused, number {at}");
        let text = text.as_bytes();
        recorder.push(0, Message { severity: severity::WARNING, text });
    }
    recorder.end(RUN);
    recorder.analyse()
}

#[test]
fn a_large_program_has_two_screens_too() {
    let analysis = much();
    assert!(analysis.findings().len() > 3, "{:?}", analysis.findings());
    let shown = brief(&analysis, 100);
    assert!(shown.lines().count() <= TWO_SCREENS, "{}: {shown}", shown.lines().count());
    assert!(shown.contains("more, together "), "{shown}");
    assert!(shown.contains("more findings") && shown.contains("--all"), "{shown}");
    let all = text::render(&analysis, &TextOptions { top: usize::MAX, ..TextOptions::default() });
    assert!(all.lines().count() > 400, "{all}");
    assert!(!all.contains(" more\n") && !all.contains("not shown"), "{all}");
}

/// The report has no words that only their authors know.
#[test]
fn words_are_those_of_readers() {
    let analysis = much();
    let all = text::render(&analysis, &TextOptions::default());
    for shown in [brief(&analysis, 100), brief(&imbalanced(), 100), all.clone()] {
        for word in ["fork/overhead", "asked for", "stolen", "wait each time", "not told"] {
            assert!(!shown.contains(word), "{word}: {shown}");
        }
    }
    // The text below the table explains a dash.
    assert!(all.contains(" - ") == all.contains("\n  by others: "), "{all}");
    assert!(all.contains("; -: none was timed"), "{all}");
}
