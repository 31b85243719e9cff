//! Threads that sleep in the program's own calls, or lack a processor.

use super::*;

/// A thread asleep in a call does no work: table, paths and diagnosis name the call.
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
    // The thread sleeps for nine tenths of a period; the body jumped to the call, or called it.
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

/// The gain is at most the time slept, whatever else the threads wait for.
#[test]
fn a_short_sleep_gives_back_no_more_than_itself() {
    let threads = [thread_total(0, 1000 * MS, 0), thread_total(1, 400 * MS, 600 * MS)];
    let analysis = run(&threads, 1000 * MS, |r| {
        let (codeptr_ra, call) = (SITE, &b"fsync"[..]);
        let (count, blocked, elapsed, longest) = (9, 250 * MS, 250 * MS, 100 * MS);
        r.push(0, CallTotal { codeptr_ra, count, blocked, elapsed, longest, call });
        r.push(0, ThreadScheduling { blocked_work: 250 * MS, ..scheduling(0, 750 * MS, 0) });
        let (gain, imbalance) = (300 * MS, 600 * MS);
        r.push(0, RegionSiteTotal { gain, imbalance, ..region(1400 * MS, 600 * MS) });
    });
    let findings = analysis.findings().iter();
    let costs: Vec<u64> =
        findings.filter(|f| f.disease == Disease::Blocked).map(|found| found.cost).collect();
    assert_eq!(costs, [250 * MS]);
}

/// A wait for another of the program's own threads is no serial time.
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

/// Who waits for another process, or a thread that goes on, is not told to work meanwhile.
#[test]
fn waiting_for_others_is_no_matter_of_overlap() {
    let advice = |call: &'static [u8]| {
        let mut main = thread_total(0, 0, 0);
        (main.serial_work, main.alive) = (1000 * MS, 1000 * MS);
        let analysis = run(&[main], 1000 * MS, |r| {
            r.push(0, ThreadScheduling { blocked_serial: 990 * MS, ..scheduling(0, 10 * MS, 0) });
            let (count, blocked, elapsed, longest) = (1, 990 * MS, 990 * MS, 990 * MS);
            r.push(0, CallTotal { codeptr_ra: 0, count, blocked, elapsed, longest, call });
        });
        let found = analysis.findings().iter().find(|found| found.disease == Disease::Blocked);
        found.map(|found| found.advice).expect("a finding")
    };
    assert!(advice(b"read").starts_with("overlap it with work"));
    assert!(advice(b"sem_wait").starts_with("see what the thread or process does"));
}

/// Sleep with a lock that others wait for: both findings say so.
#[test]
fn sleep_with_a_lock_is_named() {
    let mut threads = balanced();
    for thread in &mut threads {
        thread.work -= 400 * MS;
        thread.mutex_wait = 400 * MS;
    }
    let found = |slept: u64| {
        run(&threads, 1000 * MS, |r| {
            let (wait_id, mutex_kind, codeptr_ra, hold) = (0x10, 2, APP + 0x301, 900 * MS);
            r.push(0, RegionSiteTotal { mutex_wait: 800 * MS, ..region(1180 * MS, 20 * MS) });
            let (acquisitions, contended, wait, longest_wait) = (1000, 900, 800 * MS, MS);
            let lock = MutexSiteTotal {
                wait_id,
                mutex_kind,
                codeptr_ra,
                acquisitions,
                contended,
                wait,
                longest_wait,
                hold,
            };
            r.push(0, lock);
            r.push(0, MutexSiteSlept { wait_id, mutex_kind, codeptr_ra, slept });
            for thread in 0..2 {
                let blocked_work = 400 * MS;
                r.push(0, ThreadScheduling { blocked_work, ..scheduling(thread, 190 * MS, 0) });
            }
            let (count, blocked, elapsed, longest) = (10, 800 * MS, 800 * MS, 80 * MS);
            let (codeptr_ra, call) = (SITE, &b"usleep"[..]);
            r.push(0, CallTotal { codeptr_ra, count, blocked, elapsed, longest, call });
        })
    };
    let evidence = |slept: u64, disease: Disease| {
        let analysis = found(slept);
        let finding = analysis.findings().iter().find(|found| found.disease == disease);
        finding.map(|found| found.evidence.clone()).unwrap_or_default()
    };
    let of_lock = evidence(790 * MS, Disease::HotMutex);
    let said = "; who holds it sleeps in calls for 790.0 ms of 900.0 ms";
    assert!(of_lock.ends_with(said), "{of_lock}");
    let of_region = evidence(790 * MS, Disease::Blocked);
    let said = "; for 790.0 ms a thread sleeps while it holds lock at 0x10 (taken at app+0x301)";
    assert!(of_region.ends_with(said), "{of_region}");
    assert!(!evidence(10 * MS, Disease::Blocked).contains("holds"));
    assert!(!evidence(10 * MS, Disease::HotMutex).contains("holds"));
}

/// But threads that it joins one after the other, while nothing else is at work, are a serial part.
#[test]
fn joining_one_thread_after_the_other_is_blocked() {
    let with_others = |computed: u64| {
        let mut main = thread_total(0, 390 * MS, 10 * MS);
        (main.serial_work, main.alive) = (600 * MS, 1000 * MS);
        run(&[main, thread_total(1, 390 * MS, 10 * MS)], 1000 * MS, move |r| {
            r.push(0, RegionSiteTotal { elapsed: 400 * MS, ..region(780 * MS, 20 * MS) });
            let known = ThreadScheduling { blocked_serial: 590 * MS, ..scheduling(0, 400 * MS, 0) };
            r.push(0, known);
            r.push(1, scheduling(1, 400 * MS, 0));
            r.push(0, ProcessTime { running: 800 * MS + computed });
            let (count, blocked, elapsed, longest) = (10, 590 * MS, 590 * MS, 59 * MS);
            let call = &b"pthread_join"[..];
            r.push(0, CallTotal { codeptr_ra: 0, count, blocked, elapsed, longest, call });
        })
    };
    let place = "outside parallel regions".to_owned();
    assert_eq!(diseases(&with_others(590 * MS)), [(Disease::Blocked, place)]);
    // Threads that work beside each other while it waits.
    assert_eq!(diseases(&with_others(1100 * MS)), []);
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

/// The others wait for one thread's missing processor, even where little is missing.
#[test]
fn what_little_is_missing_explains_as_much_imbalance() {
    let uneven = |gain: u64, kept: u64| {
        let threads = [thread_total(0, 1000 * MS, 0), thread_total(1, 500 * MS, 500 * MS)];
        run(&threads, 1000 * MS, move |r: &mut Recorder| {
            let row = region(1500 * MS, 500 * MS);
            r.push(0, RegionSiteTotal { imbalance: 2 * gain, gain, ..row });
            r.push(0, scheduling(0, 1000 * MS - kept, kept));
            r.push(1, scheduling(1, 1000 * MS - kept, kept));
        })
    };
    for (gain, kept, doubts) in [(140, 0, 0), (140, 100, 1), (250, 100, 0), (250, 140, 0)] {
        let analysis = uneven(gain * MS, kept * MS);
        let found = (diseases(&analysis).len(), analysis.doubts().len());
        assert_eq!(found, (1 - doubts, doubts), "{gain} {kept}");
    }
}

/// Where others had the CPUs, it is not known that there is nothing to find.
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

/// Four threads on two CPUs run for at least half of the time, unless others have the CPUs.
#[test]
fn more_threads_than_cpus_do_not_hide_other_programs() {
    let four = |kept: u64| {
        let threads = [0, 1, 2, 3].map(|thread| thread_total(thread, 1000 * MS, 0));
        run(&threads, 1000 * MS, move |r: &mut Recorder| {
            r.push(0, region(2000 * MS, 0));
            (0..4).for_each(|thread| r.push(thread, scheduling(thread, 1000 * MS - kept, kept)));
        })
    };
    for (kept, doubts) in [(500 * MS, 0), (700 * MS, 1)] {
        let analysis = four(kept);
        assert_eq!((diseases(&analysis), analysis.doubts().len()), (vec![], doubts), "{kept}");
    }
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

/// A construct at two places of the nest sleeps at each for the time that samples show.
#[test]
fn places_of_one_construct_share_what_its_calls_were_blocked() {
    const INNER: u64 = APP + 0x401;
    let threads = [thread_total(0, 1000 * MS, 0)];
    let of_place = |parent_codeptr, work| {
        let level = if parent_codeptr == 0 { 1 } else { 2 };
        let total = region_total(INNER, 10);
        RegionSiteTotal { parent_codeptr, level, work, elapsed: work, ..total }
    };
    let analysis = run(&threads, 1000 * MS, |r| {
        r.push(0, RegionSiteTotal { elapsed: 500 * MS, ..region(500 * MS, 0) });
        r.push(0, of_place(SITE, 400 * MS));
        r.push(0, of_place(0, 500 * MS));
        r.fork(0, 1, 0, SITE, &[SITE]);
        r.fork(0, 2, 1, INNER, &[INNER, SITE]);
        r.fork(0, 3, 0, INNER, &[INNER]);
        // One quarter is inside the other region; half of that is by a thread that is not in it.
        for (thread, region, times) in [(0, 2, 5), (1, 2, 5), (0, 3, 30)] {
            for _ in 0..times {
                r.sample(thread, state::PARALLEL, region, &[INNER + 4, INNER]);
                r.push(thread, SampleCall { thread, blocked: PERIOD, call: b"read" });
            }
        }
        let (codeptr_ra, count, blocked, elapsed, longest) = (INNER, 40, 400 * MS, 400 * MS, 1);
        r.push(0, CallTotal { codeptr_ra, count, blocked, elapsed, longest, call: b"read" });
    });
    let row = |level: u32, line: &str| {
        let mut rows = analysis.regions().iter();
        let found = rows.find(|row| row.level == level && row.construct.label.contains(line));
        let row = found.unwrap();
        (row.work, row.blocked, row.calls.first().map_or(0, |call| call.2))
    };
    assert_eq!(row(2, "0x401"), (300 * MS, 100 * MS, 100 * MS));
    assert_eq!(row(1, "0x401"), (200 * MS, 300 * MS, 300 * MS));
    assert_eq!(row(1, "0x201"), (450 * MS, 50 * MS, 0));
}

/// Tasks do not work while they sleep.
#[test]
fn tasks_asleep_do_no_work() {
    let threads = [thread_total(0, 1000 * MS, 0)];
    let analysis = run(&threads, 1000 * MS, |r| {
        r.push(0, RegionSiteTotal { task_work: 900 * MS, ..region(1000 * MS, 0) });
        r.fork(0, 1, 0, SITE, &[SITE]);
        for _ in 0..40 {
            r.task_sample(0, state::PARALLEL, 1, &[SITE + 4, SITE], SITE + 8);
            r.push(0, SampleCall { thread: 0, blocked: PERIOD, call: b"read" });
        }
        let (codeptr_ra, created, executed, stolen) = (SITE + 8, 4, 4, 0);
        let (work, shortest, longest) = (900 * MS, MS, MS);
        let task = TaskSiteTotal { codeptr_ra, created, executed, stolen, work, shortest, longest };
        r.push(0, task);
    });
    let task = &analysis.tasks()[0];
    assert_eq!((task.work, task.blocked), (860 * MS, 40 * MS));
    assert!((task.mean_time() - 225.0 * MS as f64).abs() < 1.0);
    assert_eq!(analysis.regions()[0].task_work, 860 * MS);
}

/// Tasks have their part of calls too short for samples, as the region has.
#[test]
fn short_calls_in_tasks_are_no_work() {
    let threads = [thread_total(0, 1000 * MS, 0)];
    let analysis = run(&threads, 1000 * MS, |r| {
        r.push(0, RegionSiteTotal { task_work: 900 * MS, ..region(1000 * MS, 0) });
        r.fork(0, 1, 0, SITE, &[SITE]);
        for _ in 0..40 {
            r.task_sample(0, state::PARALLEL, 1, &[SITE + 4, SITE], SITE + 8);
            r.push(0, SampleCall { thread: 0, blocked: PERIOD, call: b"read" });
        }
        let (codeptr_ra, count, blocked, elapsed, longest) = (SITE, 800, 80 * MS, 80 * MS, 1);
        r.push(0, CallTotal { codeptr_ra, count, blocked, elapsed, longest, call: b"read" });
        let (codeptr_ra, created, executed, stolen) = (SITE + 8, 4, 4, 0);
        let (work, shortest, longest) = (900 * MS, MS, MS);
        let task = TaskSiteTotal { codeptr_ra, created, executed, stolen, work, shortest, longest };
        r.push(0, task);
    });
    let (task, region) = (&analysis.tasks()[0], &analysis.regions()[0]);
    assert_eq!((task.work, task.blocked), (820 * MS, 80 * MS));
    assert_eq!((region.work, region.task_work), (920 * MS, 820 * MS));
}
