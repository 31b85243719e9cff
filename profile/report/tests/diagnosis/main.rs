//! Each disease is named, with its place, from exact totals alone; a healthy run has none.

mod advice;
mod blocked;
mod far_memory;
mod library_locks;
mod mpi;
mod one_thread;
mod placement;
mod places;
mod queued;
mod samples;
mod scattered;
mod shared_memory;
#[path = "../support/mod.rs"]
mod support;
mod tasks;
mod teams;

use omphalos_profile_format::*;
use omphalos_report::{Analysis, Disease, Finding, text};
use support::{PERIOD, Recorder, START, construct_total, region_total, state, thread_total};

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

/// Two threads that together run for `work` in a second, and wait for the rest of it.
fn ran(work: u64) -> [ThreadTotal; 2] {
    [0, 1].map(|thread| thread_total(thread, work / 2, 1000 * MS - work / 2))
}

/// The part of [`region`]'s work without a CPU.
fn queued_region(work: u64) -> RegionSiteQueued {
    RegionSiteQueued { codeptr_ra: SITE, parent_codeptr: 0, level: 1, work }
}

fn region(work: u64, wait: u64) -> RegionSiteTotal {
    RegionSiteTotal {
        elapsed: (work + wait) / 2,
        work,
        barrier_wait: wait,
        ..region_total(SITE, 10)
    }
}

fn scheduling(thread: u32, running: u64, runnable: u64) -> ThreadScheduling {
    ThreadScheduling { thread, running, runnable, blocked_work: 0, blocked_serial: 0 }
}

#[test]
fn a_healthy_run_has_no_findings() {
    let analysis = run(&balanced(), 1000 * MS, |r| r.push(0, region(1980 * MS, 20 * MS)));
    assert_eq!(diseases(&analysis), []);
    assert!(analysis.used_openmp());
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
    // A thread that takes a lock from another one also slows down its work.
    let text = text::render(&analysis, &Default::default());
    assert!(text.contains("to gain about 400.0 ms of 1.00 s elapsed, or more: "), "{text}");
}

/// The thread that has the mutex works while the other one waits for it.
#[test]
fn work_while_others_wait_for_a_mutex_is_no_imbalance() {
    let found = |mutex_wait: u64, barrier_wait: u64| {
        let mut threads = balanced();
        threads[1].work -= (mutex_wait + barrier_wait) * MS;
        threads[1].mutex_wait = mutex_wait * MS;
        threads[1].barrier_wait += barrier_wait * MS;
        let waits = mutex_wait + barrier_wait;
        let total = RegionSiteTotal {
            mutex_wait: mutex_wait * MS,
            elapsed: 1000 * MS,
            gain: waits * MS / 2,
            imbalance: waits * MS,
            ..region((1980 - waits) * MS, (20 + barrier_wait) * MS)
        };
        let (wait_id, mutex_kind, codeptr_ra) = (0x10, 5, APP + 0x301);
        let (acquisitions, contended, wait) = (1000, 900, mutex_wait * MS);
        let (longest_wait, hold) = (MS, 900 * MS);
        let mutex = MutexSiteTotal {
            wait_id,
            mutex_kind,
            codeptr_ra,
            acquisitions,
            contended,
            wait,
            longest_wait,
            hold,
        };
        let analysis = run(&threads, 1000 * MS, |r| {
            r.push(0, total);
            r.push(0, mutex);
            r.push(0, MutexSitePlace { wait_id, mutex_kind, codeptr_ra, region_codeptr: SITE });
        });
        diseases(&analysis).into_iter().map(|(disease, _)| disease).collect::<Vec<_>>()
    };
    assert_eq!(found(700, 30), [Disease::HotMutex]);
    assert_eq!(found(400, 400), [Disease::Imbalance, Disease::HotMutex]);
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
    // The head's figure has the time without a processor, too.
    let queued = run(&threads, 1000 * MS, |r| {
        r.push(0, region(1000 * MS, 0));
        r.push(0, ThreadQueued { thread: 0, work: 0, serial: 200 * MS });
    });
    assert_eq!(queued.threads()[0].serial_work, 300 * MS);
    assert!(queued.findings()[0].evidence.starts_with("500.0 ms of 1.00 s elapsed"));
    let text = text::render(&queued, &Default::default());
    assert!(text.contains("; 500.0 ms serial, outside of regions"), "{text}");
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

/// Amdahl's bound: 0.5 s serial, 0.5 s of parallel work, half of which is waiting.
#[test]
fn waits_are_no_parallel_work() {
    let mut main = thread_total(0, 250 * MS, 250 * MS);
    (main.serial_work, main.alive) = (500 * MS, 1000 * MS);
    let mut worker = thread_total(1, 250 * MS, 250 * MS);
    (worker.idle, worker.alive) = (500 * MS, 1000 * MS);
    let analysis = run(&[main, worker], 1000 * MS, |r| {
        r.push(0, RegionSiteTotal { instances: 1, ..region(500 * MS, 500 * MS) });
    });
    let serial = analysis.findings().iter().find(|f| f.disease == Disease::SerialTime).unwrap();
    assert!(serial.evidence.contains("stays below 2.0"), "{}", serial.evidence);
}

/// An interpreter that loads its libraries before the first region: no sample gives a place.
#[test]
fn serial_time_before_the_first_sample_is_said() {
    let mut main = thread_total(0, 300 * MS, 0);
    (main.serial_work, main.alive) = (600 * MS, 900 * MS);
    let mut worker = thread_total(1, 300 * MS, 0);
    (worker.idle, worker.alive) = (600 * MS, 900 * MS);
    let analysis = run(&[main, worker], 900 * MS, |r| {
        r.push(0, RegionSiteTotal { instances: 1, team_size_sum: 2, ..region(600 * MS, 0) });
        r.fork(0, 1, 0, SITE, &[SITE]);
        r.heavy_sample(0, state::PARALLEL, 1, &[SITE + 4, SITE], 600);
    });
    let serial = analysis.findings().iter().find(|f| f.disease == Disease::SerialTime).unwrap();
    assert!(serial.evidence.contains("; 100 % of it was not sampled"), "{}", serial.evidence);
}
