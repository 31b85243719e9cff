//! Each disease is named, with its place, from exact totals alone; a healthy run has none.

mod support;

use omphalos_profile_format::*;
use omphalos_report::{Analysis, Disease};
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
    let total = |work, wait| RegionSiteTotal { team_size_sum: 160, ..region(work, wait) };
    let analysis = run(&balanced(), 1000 * MS, |r| r.push(0, total(1500 * MS, 500 * MS)));
    assert_eq!(diseases(&analysis)[0].0, Disease::Oversubscription);
    // It costs what the threads lose, not the whole region.
    assert_eq!(analysis.findings()[0].cost, 250 * MS);
    let analysis = run(&balanced(), 1000 * MS, |r| r.push(0, total(1980 * MS, 20 * MS)));
    assert_eq!(diseases(&analysis), []);
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

/// The agent counts the time in which a chunk is handed out as work; samples have the runtime's
/// code innermost. The tables then tell what the paths do.
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

fn scheduling(thread: u32, running: u64, runnable: u64) -> ThreadScheduling {
    ThreadScheduling { thread, running, runnable, blocked_work: 0, blocked_serial: 0 }
}

/// A thread asleep in a call does no work: table, paths and diagnosis say in which call.
#[test]
fn blocked_is_neither_work_nor_wait() {
    const RUNTIME: u64 = 0x7f00_0000_0000;
    let mut recorder = Recorder::new(&[
        (APP, 0x1000, "/nowhere/app", 0),
        (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
    ]);
    let totals = [thread_total(0, 100 * MS, 900 * MS), thread_total(1, 1000 * MS, 0)];
    for total in totals {
        recorder.thread(total.thread, 1 + total.thread);
        recorder.push(total.thread, total);
    }
    let asleep = ThreadScheduling { blocked_work: 900 * MS, ..scheduling(1, 100 * MS, 0) };
    recorder.push(1, asleep);
    let (codeptr_ra, call) = (SITE, &b"read"[..]);
    let (count, blocked, elapsed, longest) = (9, 900 * MS, 900 * MS, 100 * MS);
    recorder.push(1, CallTotal { codeptr_ra, count, blocked, elapsed, longest, call });
    let total = RegionSiteTotal {
        imbalance: 900 * MS,
        gain: 450 * MS,
        team_size_sum: 2,
        instances: 1,
        ..region(1100 * MS, 900 * MS)
    };
    recorder.push(0, total);
    recorder.fork(0, 1, 0, SITE, &[RUNTIME + 16, SITE]);
    // Of a period nine tenths asleep; the body jumped to the call, or called it.
    for stack in [&[RUNTIME + 0x101][..], &[APP + 0x400, RUNTIME + 0x101]] {
        recorder.sample(1, state::PARALLEL, 1, stack);
        recorder.push(1, SampleCall { thread: 1, blocked: PERIOD / 10 * 9, call });
    }
    recorder.end(1000 * MS);
    let analysis = recorder.analyse();
    let thread = analysis.threads()[1];
    assert_eq!(
        (thread.openmp_work(), thread.blocked, thread.openmp_wait()),
        (100 * MS, 900 * MS, 0)
    );
    let row = &analysis.regions()[0];
    assert_eq!((row.work, row.blocked), (200 * MS, 900 * MS));
    assert_eq!(diseases(&analysis), [(Disease::Blocked, "region at app+0x201".to_owned())]);
    assert_eq!(analysis.findings()[0].cost, 900 * MS);
    assert!(analysis.findings()[0].evidence.contains("read 900.0 ms (9)"));
    let folded = omphalos_report::folded::render(&analysis);
    let base = "app+0x200;region at app+0x201";
    let lines: Vec<&str> = folded.lines().collect();
    assert!(lines.contains(&&*format!("{base};<blocked in read> 1800")), "{folded}");
    assert!(lines.contains(&&*format!("{base} 200")), "{folded}");
}

/// A thread that waits for another one of the program's own is no serial time.
#[test]
fn waiting_for_a_thread_is_not_serial() {
    let mut main = thread_total(0, 0, 0);
    (main.serial_work, main.alive) = (1000 * MS, 1000 * MS);
    let analysis = run(&[main, thread_total(1, 900 * MS, 100 * MS)], 1000 * MS, |r| {
        r.push(0, region(1800 * MS, 200 * MS));
        let call = b"pthread_join";
        let known = ThreadScheduling { blocked_serial: 990 * MS, ..scheduling(0, 10 * MS, 0) };
        r.push(0, known);
        let (count, blocked, elapsed, longest) = (1, 990 * MS, 990 * MS, 990 * MS);
        r.push(0, CallTotal { codeptr_ra: 0, count, blocked, elapsed, longest, call });
    });
    assert_eq!(diseases(&analysis), []);
    assert_eq!(analysis.summary().serial, 10 * MS);
}

#[test]
fn a_busy_machine_makes_doubts_and_no_findings() {
    let waits = |kept: u64| {
        run(
            &[thread_total(0, 500 * MS, 500 * MS), thread_total(1, 500 * MS, 500 * MS)],
            1000 * MS,
            {
                move |r: &mut Recorder| {
                    r.push(0, region(1000 * MS, 1000 * MS));
                    r.push(0, scheduling(0, 500 * MS, kept));
                    r.push(1, scheduling(1, 500 * MS, kept));
                }
            },
        )
    };
    let busy = waits(500 * MS);
    assert_eq!(diseases(&busy), []);
    assert_eq!(busy.doubts().len(), 1, "{:?}", busy.doubts());
    let text = omphalos_report::text::render(&busy, &Default::default());
    assert!(text.contains("inconclusive") && !text.contains("no OpenMP problem"), "{text}");
    let idle = waits(0);
    assert_eq!(diseases(&idle)[0].0, Disease::Imbalance);
    assert!(idle.doubts().is_empty());
    assert!(!omphalos_report::text::render(&idle, &Default::default()).contains("had a CPU"));
}

/// Where others had the CPUs nobody knows that there is nothing to find.
#[test]
fn nothing_found_on_a_busy_machine_is_inconclusive() {
    let even = |kept: u64| {
        let threads = [thread_total(0, 1000 * MS, 0), thread_total(1, 1000 * MS, 0)];
        run(&threads, 1000 * MS, move |r: &mut Recorder| {
            r.push(0, region(2000 * MS, 0));
            r.push(0, scheduling(0, 1000 * MS - kept, kept));
            r.push(1, scheduling(1, 1000 * MS - kept, kept));
        })
    };
    for (kept, doubts) in [(0, 0), (100 * MS, 0), (300 * MS, 1)] {
        let analysis = even(kept);
        assert_eq!((diseases(&analysis), analysis.doubts().len()), (vec![], doubts), "{kept}");
    }
}

#[test]
fn tasks_that_wait_for_each_other_are_no_imbalance() {
    let total = RegionSiteTotal {
        tasks_created: 200,
        tasks_executed: 200,
        task_work: 990 * MS,
        ..region(1000 * MS, 1000 * MS)
    };
    let threads = [thread_total(0, 500 * MS, 500 * MS), thread_total(1, 500 * MS, 500 * MS)];
    let analysis = run(&threads, 1000 * MS, |r| r.push(0, total));
    assert_eq!(diseases(&analysis)[0].0, Disease::TaskShortage);
}

#[test]
fn a_region_of_one_thread_is_named() {
    let total = RegionSiteTotal { team_size_sum: 10, elapsed: 900 * MS, ..region(900 * MS, 0) };
    let analysis = run(&[thread_total(0, 1000 * MS, 0)], 1000 * MS, |r| r.push(0, total));
    assert_eq!(diseases(&analysis), [(Disease::OneThread, "region at app+0x201".to_owned())]);
}

/// What it contains may have a team, and other threads of the program's may use the other CPU.
#[test]
fn a_region_of_one_thread_may_have_company() {
    let outer = RegionSiteTotal { team_size_sum: 10, elapsed: 900 * MS, ..region(900 * MS, 0) };
    let inner = RegionSiteTotal {
        level: 2,
        codeptr_ra: SITE + 16,
        parent_codeptr: SITE,
        elapsed: 850 * MS,
        ..region(1700 * MS, 0)
    };
    let threads = [thread_total(0, 1000 * MS, 0)];
    let analysis = run(&threads, 1000 * MS, |r| {
        r.push(0, outer);
        r.push(0, inner);
    });
    assert_eq!(diseases(&analysis), []);
    let analysis = run(&threads, 1000 * MS, |r| {
        r.push(0, outer);
        for thread in [0, 1] {
            r.fork(thread, u64::from(thread) + 1, 0, SITE, &[SITE]);
            r.sample(thread, state::PARALLEL, u64::from(thread) + 1, &[SITE + 4, SITE]);
        }
    });
    assert_eq!(diseases(&analysis), []);
}

/// Equal in sum, unequal from barrier to barrier: the table has what the diagnosis says.
#[test]
fn imbalance_of_phases_is_imbalance_of_the_region() {
    let threads = [thread_total(0, 1000 * MS, 500 * MS), thread_total(1, 1000 * MS, 500 * MS)];
    let total = RegionSiteTotal {
        instances: 1,
        team_size_sum: 2,
        imbalance: MS,
        ..region(2000 * MS, 1000 * MS)
    };
    let phases = |mutex_wait| {
        let analysis = run(&threads, 1500 * MS, |r| {
            r.push(0, RegionSiteTotal { mutex_wait, ..total });
            let barriers = construct_total(SITE, SITE + 8, construct_kind::BARRIER | 3, 100);
            r.push(0, ConstructTotal { barrier_wait: 900 * MS, ..barriers });
        });
        assert_eq!(diseases(&analysis)[0].0, Disease::Imbalance);
        let row = &analysis.regions()[0];
        (row.imbalance / MS, row.gain / MS)
    };
    // But for a microsecond of each thread at each barrier.
    assert_eq!(phases(0), (999, 499));
    // Who waits for a mutex comes late without having worked.
    assert_eq!(phases(600 * MS), (399, 199));
}

/// Looks from outside find a thread in a call that the program makes without the C library.
#[test]
fn calls_without_a_total_are_blocked_time_of_the_region() {
    let threads = [thread_total(0, 200 * MS, 300 * MS), thread_total(1, 500 * MS, 0)];
    let total = RegionSiteTotal {
        instances: 1,
        elapsed: 500 * MS,
        imbalance: 300 * MS,
        gain: 150 * MS,
        ..region(700 * MS, 300 * MS)
    };
    let analysis = run(&threads, 500 * MS, |r| {
        r.push(0, total);
        r.fork(0, 1, 0, SITE, &[SITE]);
        for _ in 0..9 {
            r.heavy_sample(1, state::PARALLEL, 1, &[SITE + 4, SITE], 50);
            r.push(1, SampleCall { thread: 1, blocked: 50 * MS, call: b"futex" });
        }
    });
    let row = &analysis.regions()[0];
    assert_eq!((row.blocked, row.work), (450 * MS, 250 * MS));
    assert_eq!((&*row.calls[0].0, row.calls[0].2), ("futex", 450 * MS));
    let found = diseases(&analysis);
    assert_eq!(found[0], (Disease::Blocked, "region at app+0x201".to_owned()), "{found:?}");
}

/// Amdahl's bound: 0.5 s serial, 0.5 s of parallel work of which half is waiting.
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

/// An interpreter that loads its libraries before the first region: no sample says where.
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

/// Two constructs of small tasks lose the regions' time once.
#[test]
fn small_tasks_are_counted_once() {
    let total = RegionSiteTotal {
        tasks_created: 200_000,
        tasks_executed: 200_000,
        task_work: 200 * MS,
        overhead: 1800 * MS,
        ..region(200 * MS, 0)
    };
    let task = |codeptr_ra| TaskSiteTotal {
        codeptr_ra,
        created: 100_000,
        executed: 100_000,
        stolen: 0,
        work: 100 * MS,
        shortest: 900,
        longest: 1100,
    };
    let analysis = run(&balanced(), 1000 * MS, |r| {
        r.push(0, total);
        r.push(0, task(APP + 0x301));
        r.push(0, task(APP + 0x401));
    });
    let costs = analysis.findings().iter().filter(|f| f.disease == Disease::SmallTasks);
    let sum: u64 = costs.map(|finding| finding.cost).sum();
    assert!(sum > 400 * MS && sum <= 900 * MS, "{sum}");
}
