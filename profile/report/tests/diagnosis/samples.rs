//! Figures that come from samples, where the totals say nothing.

use super::*;

#[test]
fn without_totals_samples_stand_in() {
    let mut recorder = Recorder::new(&[(APP, 0x1000, "/nowhere/app", 0)]);
    recorder.thread(0, 1);
    for _ in 0..30 {
        recorder.sample(0, state::PARALLEL, 0, &[APP + 0x100]);
    }
    for _ in 0..10 {
        recorder.sample(0, state::IMPLICIT_BARRIER, 0, &[APP + 0x100]);
    }
    let analysis = recorder.analyse();
    let row = analysis.threads()[0];
    assert_eq!((row.work, row.barrier_wait, row.alive), (30 * PERIOD, 10 * PERIOD, 40 * PERIOD));
    assert!(!analysis.summary().exact && !analysis.summary().complete);
    assert!(analysis.warnings().iter().any(|w| w.contains("estimates from samples")));
    assert_eq!(analysis.summary().elapsed, 40 * PERIOD);
    assert_eq!(analysis.samples().next().unwrap().time, START + PERIOD - START);
}

/// Totals are written from time to time: the time after the last ones is only in the samples.
#[test]
fn a_killed_program_keeps_what_its_samples_say() {
    let mut recorder = Recorder::new(&[(APP, 0x1000, "/nowhere/app", 0)]);
    recorder.thread(0, 1);
    let total = thread_total(0, 5 * PERIOD, 0);
    recorder.push(0, total);
    for _ in 0..10 {
        recorder.sample(0, state::IMPLICIT_BARRIER, 0, &[APP + 0x100]);
    }
    let analysis = recorder.analyse();
    let row = analysis.threads()[0];
    // The first five samples lie before the total's time.
    assert_eq!((row.work, row.barrier_wait, row.alive), (5 * PERIOD, 5 * PERIOD, 10 * PERIOD));
    assert_eq!(analysis.summary().elapsed, 10 * PERIOD);
    assert_eq!(analysis.summary().covered, 5 * PERIOD);
    assert!(analysis.warnings().iter().any(|w| w.contains("cover the first 5.0 ms of 10.0 ms")));
}

/// The agent counts the time in which a chunk is handed out as work, but samples have the runtime's
/// code innermost. Then the tables agree with the paths.
#[test]
fn handing_out_chunks_is_overhead_in_tables_and_paths() {
    const RUNTIME: u64 = 0x7f00_0000_0000;
    let mut recorder = Recorder::new(&[
        (APP, 0x1000, "/nowhere/app", 0),
        (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
    ]);
    for thread in 0..2 {
        recorder.thread(thread, 1 + thread);
        recorder.push(thread, thread_total(thread, 1000 * MS, 0));
    }
    recorder.push(0, region(2000 * MS, 0));
    recorder.fork(0, 1, 0, SITE, &[RUNTIME + 16, SITE]);
    for i in 0..2000 {
        let body = [APP + 0x400, RUNTIME + 0x101, SITE];
        let handing = [RUNTIME + 0x301, APP + 0x409, RUNTIME + 0x101, SITE];
        let stack: &[u64] = if i % 10 < 3 { &body } else { &handing };
        recorder.sample(0, state::PARALLEL, 1, stack);
        recorder.sample(1, state::PARALLEL, 1, &stack[..stack.len() - 1]);
    }
    recorder.end(1000 * MS);
    let analysis = recorder.analyse();
    let row = &analysis.regions()[0];
    assert_eq!((row.work, row.overhead), (600 * MS, 1400 * MS));
    for thread in analysis.threads() {
        assert_eq!((thread.openmp_work(), thread.overhead), (300 * MS, 700 * MS));
        assert_eq!(thread.openmp_work() + thread.openmp_wait(), thread.alive);
    }
    assert_eq!(diseases(&analysis), [(Disease::Overhead, "region at app+0x201".to_owned())]);
    assert!(analysis.hot_lines().is_empty(), "{:?}", analysis.hot_lines());
}

/// A thread that another program keeps from its processor has samples in work, and no Work. What
/// its samples show of the runtime is taken from the others' Work, as in the region's row.
#[test]
fn no_thread_hands_out_for_longer_than_it_works() {
    const RUNTIME: u64 = 0x7f00_0000_0000;
    let mut recorder = Recorder::new(&[
        (APP, 0x1000, "/nowhere/app", 0),
        (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
    ]);
    for (thread, work) in [(0, 1000), (1, 100)] {
        recorder.thread(thread, 1 + thread);
        recorder.push(thread, thread_total(thread, work * MS, (1000 - work) * MS));
    }
    recorder.push(0, region(1100 * MS, 900 * MS));
    recorder.fork(0, 1, 0, SITE, &[RUNTIME + 16, SITE]);
    for i in 0..1000 {
        let in_runtime = [RUNTIME + 0x301, APP + 0x409, SITE];
        let stack = if i % 2 == 0 { &in_runtime[..] } else { &in_runtime[1..] };
        (0..2).for_each(|thread| recorder.sample(thread, state::PARALLEL, 1, stack));
    }
    recorder.end(1000 * MS);
    let analysis = recorder.analyse();
    let row = &analysis.regions()[0];
    assert_eq!((row.work, row.overhead), (550 * MS, 550 * MS));
    let threads: Vec<(u64, u64)> =
        analysis.threads().iter().map(|row| (row.work, row.overhead)).collect();
    assert_eq!(threads, [(550 * MS, 450 * MS), (0, 100 * MS)]);
}

/// Where a thread's samples make up its life, those of a class share out its counted time.
#[test]
fn paths_tell_what_the_tables_tell() {
    let threads = [thread_total(0, 60 * PERIOD, 40 * PERIOD)];
    let analysis = run(&threads, 100 * PERIOD, |r| {
        r.push(0, region(60 * PERIOD, 40 * PERIOD));
        r.fork(0, 1, 0, SITE, &[SITE]);
        for number in 0..100 {
            let state = if number < 50 { state::PARALLEL } else { state::IMPLICIT_BARRIER };
            r.sample(0, state, 1, &[SITE + 4, SITE]);
        }
    });
    let folded = omphalos_report::folded::render(&analysis);
    let total = |what: &str| -> u64 {
        let lines = folded.lines().filter(|line| line.contains("barrier") == (what == "barrier"));
        lines.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
    };
    assert_eq!((total("work"), total("barrier")), (60_000, 40_000), "{folded}");
}

/// A region that hangs, or in which the program ends, has not reached its end.
#[test]
fn an_open_region_has_not_come_to_its_end() {
    let ends = |open: Option<u64>| {
        let analysis = run(&balanced(), 1000 * MS, |r| {
            let (codeptr_ra, parent_codeptr, level) = (SITE, 0, 1);
            // A record from a time when others were open no longer holds.
            r.push(0, RegionSiteOpen { codeptr_ra, parent_codeptr, level, instances: 7 });
            r.push(0, region(1980 * MS, 20 * MS));
            if let Some(instances) = open {
                r.push(0, RegionSiteOpen { codeptr_ra, parent_codeptr, level, instances });
            }
            r.push(0, construct_total(SITE, APP + 0x301, construct_kind::BARRIER | 3, 10));
        });
        let row = &analysis.regions()[0];
        let end = row.constructs.iter().find(|row| row.name == "end of the region").unwrap();
        (row.instances, end.instances)
    };
    assert_eq!([None, Some(1), Some(10)].map(ends), [(10, 10), (10, 9), (10, 0)]);
}
