//! Each disease is named, with its place, from exact totals alone; a healthy run has none.

mod support;

use omphalos_profile_format::*;
use omphalos_report::{Analysis, Disease};
use support::{PERIOD, Recorder, START, region_total, state, thread_total};

const APP: u64 = 0x40_0000;
const SITE: u64 = APP + 0x201;
const MS: u64 = 1_000_000;

fn run(threads: &[ThreadTotal], elapsed: u64, more: impl FnOnce(&mut Recorder)) -> Analysis {
    let mut recorder = Recorder::new(&[(APP, 0x1000, "/nowhere/app", 0)]);
    for total in threads {
        recorder.thread(total.thread, if total.thread == 0 { 1 } else { 2 });
        recorder.push(total.thread, *total);
    }
    more(&mut recorder);
    recorder.end(elapsed);
    recorder.analyse()
}

fn diseases(analysis: &Analysis) -> Vec<(Disease, String)> {
    let findings = analysis.findings().iter();
    findings.map(|finding| (finding.disease, finding.place.to_string())).collect()
}

fn balanced() -> [ThreadTotal; 2] {
    [thread_total(0, 990 * MS, 10 * MS), thread_total(1, 990 * MS, 10 * MS)]
}

fn region(work: u64, wait: u64) -> RegionSiteTotal {
    RegionSiteTotal {
        elapsed: (work + wait) / 2,
        work,
        barrier_wait: wait,
        ..region_total(SITE, 10)
    }
}

#[test]
fn a_healthy_run_has_no_findings() {
    let analysis = run(&balanced(), 1000 * MS, |r| r.push(0, region(1980 * MS, 20 * MS)));
    assert_eq!(diseases(&analysis), []);
    assert!(analysis.used_openmp());
}

#[test]
fn unequal_work_is_imbalance_and_the_gain_is_exact() {
    // One thread works 900 ms, the other 300 ms.
    let threads = [thread_total(0, 300 * MS, 600 * MS), thread_total(1, 900 * MS, 0)];
    let total =
        RegionSiteTotal { imbalance: 600 * MS, gain: 300 * MS, ..region(1200 * MS, 600 * MS) };
    let analysis = run(&threads, 900 * MS, |r| r.push(0, total));
    assert_eq!(diseases(&analysis), [(Disease::Imbalance, "region at app+0x201".to_owned())]);
    let finding = &analysis.findings()[0];
    assert_eq!(finding.cost, 300 * MS);
    assert!(finding.evidence.contains("works 900.0 ms where the mean is 600.0 ms"), "{finding:?}");
    assert!(finding.evidence.contains("give back 300.0 ms of the region's 900.0 ms (33 %)"));
}

#[test]
fn waiting_at_inner_barriers_is_imbalance_too() {
    let threads = [thread_total(0, 600 * MS, 400 * MS), thread_total(1, 600 * MS, 400 * MS)];
    let analysis = run(&threads, 1000 * MS, |r| r.push(0, region(1200 * MS, 800 * MS)));
    assert_eq!(diseases(&analysis), [(Disease::Imbalance, "region at app+0x201".to_owned())]);
}

#[test]
fn a_hot_critical_is_contention() {
    let mut threads = balanced();
    for thread in &mut threads {
        thread.work -= 400 * MS;
        thread.mutex_wait = 400 * MS;
    }
    let total = RegionSiteTotal { mutex_wait: 800 * MS, ..region(1180 * MS, 20 * MS) };
    let analysis = run(&threads, 1000 * MS, |r| {
        r.push(0, total);
        r.push(
            0,
            MutexSiteTotal {
                wait_id: 0x10,
                mutex_kind: 5,
                codeptr_ra: APP + 0x301,
                acquisitions: 1000,
                contended: 900,
                wait: 800 * MS,
                longest_wait: MS,
                hold: 900 * MS,
            },
        );
    });
    let place = "critical (unnamed) at app+0x301".to_owned();
    assert_eq!(diseases(&analysis), [(Disease::HotMutex, place)]);
    assert!(analysis.findings()[0].evidence.contains("40 % of all their time"));
}

#[test]
fn serial_time_names_the_hottest_serial_code() {
    let mut threads = [thread_total(0, 500 * MS, 0), thread_total(1, 500 * MS, 0)];
    threads[0].serial_work = 500 * MS;
    threads[0].alive += 500 * MS;
    threads[1].idle = 500 * MS;
    threads[1].alive += 500 * MS;
    let analysis = run(&threads, 1000 * MS, |r| {
        r.push(0, region(1000 * MS, 0));
        r.sample(0, state::SERIAL, 0, &[APP + 0x500]);
    });
    let found = diseases(&analysis);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, Disease::SerialTime);
    assert!(analysis.findings()[0].evidence.contains("the speedup stays below 3.0"));
}

#[test]
fn small_tasks_are_named_by_their_construct() {
    let task = TaskSiteTotal {
        codeptr_ra: APP + 0x301,
        created: 1_000_000,
        executed: 1_000_000,
        stolen: 10,
        work: 200 * MS,
        shortest: 100,
        longest: 900,
    };
    let total = RegionSiteTotal {
        tasks_created: 1_000_000,
        tasks_executed: 1_000_000,
        task_work: 200 * MS,
        gain: 400 * MS,
        ..region(1500 * MS, 500 * MS)
    };
    let analysis = run(&balanced(), 1000 * MS, |r| {
        r.push(0, total);
        r.push(0, task);
    });
    assert_eq!(diseases(&analysis), [(Disease::SmallTasks, "task at app+0x301".to_owned())]);
}

#[test]
fn large_tasks_are_fine() {
    let task = TaskSiteTotal {
        codeptr_ra: APP + 0x301,
        created: 2000,
        executed: 2000,
        stolen: 900,
        work: 1950 * MS,
        shortest: 900_000,
        longest: 1_100_000,
    };
    let total = RegionSiteTotal { tasks_created: 2000, ..region(1980 * MS, 20 * MS) };
    let analysis = run(&balanced(), 1000 * MS, |r| {
        r.push(0, total);
        r.push(0, task);
    });
    assert_eq!(diseases(&analysis), []);
}

#[test]
fn tiny_regions_are_named_once() {
    let total = RegionSiteTotal {
        elapsed: 900 * MS,
        work: 600 * MS,
        barrier_wait: 600 * MS,
        overhead: 600 * MS,
        gain: 200 * MS,
        ..region_total(SITE, 100_000)
    };
    let analysis = run(&balanced(), 1000 * MS, |r| r.push(0, total));
    assert_eq!(diseases(&analysis), [(Disease::TinyRegions, "region at app+0x201".to_owned())]);
}

#[test]
fn nested_regions_on_too_few_cpus() {
    let outer = RegionSiteTotal { ..region(1900 * MS, 100 * MS) };
    let inner = RegionSiteTotal {
        parent_codeptr: SITE,
        level: 2,
        elapsed: 1800 * MS,
        work: 2000 * MS,
        barrier_wait: 1600 * MS,
        ..region_total(APP + 0x301, 100)
    };
    let analysis = run(&balanced(), 1000 * MS, |r| {
        r.push(0, outer);
        r.push(0, inner);
    });
    let place = "region at app+0x301".to_owned();
    assert_eq!(diseases(&analysis)[0], (Disease::NestedParallelism, place));
    let evidence = &analysis.findings()[0].evidence;
    assert!(evidence.contains("4 threads inside region at app+0x201 on 2 CPUs"), "{evidence}");
    let order: Vec<_> = analysis.regions().iter().map(|row| row.level).collect();
    assert_eq!(order, [1, 2]);
}

#[test]
fn too_large_a_team_is_oversubscription() {
    let total = RegionSiteTotal { team_size_sum: 160, ..region(1980 * MS, 20 * MS) };
    let analysis = run(&balanced(), 1000 * MS, |r| r.push(0, total));
    assert_eq!(diseases(&analysis)[0].0, Disease::Oversubscription);
}

#[test]
fn a_short_run_has_no_diseases() {
    let threads = [thread_total(0, MS, 0), thread_total(1, 0, MS)];
    let total = RegionSiteTotal { imbalance: MS, gain: MS / 2, ..region(MS, MS) };
    assert_eq!(diseases(&run(&threads, MS, |r| r.push(0, total))), []);
}

#[test]
fn work_and_wait_add_up_to_threads_times_elapsed() {
    let analysis = run(&balanced(), 1000 * MS, |r| r.push(0, region(1980 * MS, 20 * MS)));
    let summary = analysis.summary();
    assert_eq!(summary.openmp_work + summary.openmp_wait, summary.threads * summary.elapsed);
}

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
    assert_eq!(analysis.samples()[0].time, START + PERIOD - START);
}

/// Totals are written from time to time: what comes after the last ones is in the samples only.
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

/// The agent counts the time in which a chunk is handed out as work; samples have the runtime's code
/// innermost. The tables then tell what the paths do.
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
