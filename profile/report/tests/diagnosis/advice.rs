//! Advice that the user of the construct can follow.

use super::*;
use omphalos_report::Finding;

/// `ompt_work_sections`, `ompt_work_workshare`.
const SECTIONS: u32 = construct_kind::WORK | 2;
const WORKSHARE: u32 = construct_kind::WORK | 5;

/// Returns the one finding of a region of two threads, one of which works `most` of 1500 ms.
fn imbalance(most: u64, more: impl FnOnce(&mut Recorder)) -> Finding {
    imbalance_with_tasks(most, 0, more)
}

/// The same where so many tasks are executed in the region.
fn imbalance_with_tasks(
    most: u64,
    tasks_executed: u64,
    more: impl FnOnce(&mut Recorder),
) -> Finding {
    let rest = 1500 - most;
    let threads = [thread_total(0, most * MS, 0), thread_total(1, rest * MS, (most - rest) * MS)];
    let total = RegionSiteTotal {
        elapsed: most * MS,
        tasks_executed,
        gain: (most - 750) * MS,
        imbalance: (most - rest) * MS,
        ..region(1500 * MS, (most - rest) * MS)
    };
    let analysis = run(&threads, most * MS, |r| {
        r.push(0, total);
        more(r);
    });
    let [finding] = analysis.findings() else { panic!("{:?}", analysis.findings()) };
    assert_eq!(finding.disease, Disease::Imbalance);
    finding.clone()
}

/// Sections have no schedule.
#[test]
fn sections_are_too_few_or_unlike() {
    let finding = imbalance(1000, |r| {
        let total = construct_total(SITE, SITE + 8, SECTIONS, 10);
        r.push(0, ConstructTotal { barrier_wait: 500 * MS, ..total });
    });
    assert!(finding.evidence.contains("behind sections at"), "{finding:?}");
    assert!(finding.advice.contains("sections") && !finding.advice.contains("schedule"));
    // In `parallel sections`, the place is the region's.
    let finding = imbalance(1000, |r| {
        let total = construct_total(SITE, SITE, SECTIONS, 10);
        r.push(0, ConstructTotal { barrier_wait: 500 * MS, ..total });
    });
    assert!(finding.advice.contains("sections"), "{finding:?}");
}

/// flang gives one thread the array assignments of a workshare.
#[test]
fn a_workshare_of_one_thread_becomes_a_loop() {
    let finding = imbalance(1495, |r| {
        r.push(0, construct_total(SITE, SITE + 8, WORKSHARE, 10));
        let barrier = construct_total(SITE, SITE + 16, construct_kind::BARRIER | 3, 10);
        r.push(0, ConstructTotal { barrier_wait: 1490 * MS, ..barrier });
    });
    assert!(finding.advice.contains("workshare"), "{finding:?}");
}

#[test]
fn work_of_one_thread_is_to_be_shared() {
    let finding = imbalance(1495, |_| {});
    assert!(finding.advice.starts_with("one thread does nearly all"), "{finding:?}");
    let finding = imbalance(1000, |_| {});
    assert!(finding.advice.contains("schedule(dynamic)"), "{finding:?}");
}

/// Threads that take turns in `ordered` are one finding, and another loop schedule does not help.
#[test]
fn turns_are_one_finding() {
    let finding = imbalance(1495, |r| {
        let (wait_id, mutex_kind, codeptr_ra) = (0x10, 7, APP + 0x301);
        r.push(
            0,
            MutexSiteTotal {
                wait_id,
                mutex_kind,
                codeptr_ra,
                acquisitions: 20,
                contended: 10,
                wait: 1400 * MS,
                longest_wait: 700 * MS,
                hold: 1400 * MS,
            },
        );
        r.push(0, MutexSitePlace { wait_id, mutex_kind, codeptr_ra, region_codeptr: SITE });
    });
    assert!(finding.advice.contains("ordered"), "{finding:?}");
}

/// gcc gives a single at a region's end no barrier: the threads wait for the single. Where its
/// thread makes tasks, that takes the time.
#[test]
fn a_single_that_a_region_ends_with_is_waited_for() {
    const SINGLE: u32 = construct_kind::WORK | 3;
    let found = |time: u64, tasks: u64| {
        let finding = imbalance_with_tasks(1000, tasks, |r| {
            let single = construct_total(SITE, SITE + 8, SINGLE, 10);
            r.push(0, ConstructTotal { time: time * MS, ..single });
        });
        (finding.evidence.contains("waits are behind single at app+0x209"), finding.advice)
    };
    let (is_named, advice) = found(900, 0);
    assert!(is_named && advice.contains("nowait"), "{advice}");
    let (is_named, advice) = found(900, 100);
    assert!(is_named && advice.contains("several threads make them"), "{advice}");
    assert!(!found(100, 0).0);
}

/// A loop with nowait has no barrier: where it takes the region's time, the wait at the region's
/// end is its wait.
#[test]
fn a_loop_that_a_region_ends_with_is_waited_for() {
    const GUIDED: u32 = construct_kind::WORK | 12;
    let found = |kind: u32, time: u64| {
        imbalance(1000, |r| {
            let total = construct_total(SITE, SITE + 8, kind, 10);
            r.push(0, ConstructTotal { time: time * MS, ..total });
        })
    };
    let guided = found(GUIDED, 1400);
    assert!(guided.evidence.contains("behind for (guided) at app+0x209"), "{guided:?}");
    assert!(guided.advice.starts_with("guided deals long chunks out first"), "{guided:?}");
    assert!(found(SECTIONS, 1400).advice.contains("the longest one counts"));
    assert!(!found(GUIDED, 100).evidence.contains("behind"));
}

/// A run of 40 ms that loses half of it is not called healthy.
#[test]
fn what_a_short_run_may_suffer_from_is_a_doubt() {
    let doubts = |longest: u64| {
        let (elapsed, rest) = (longest * MS, 4 * MS);
        let threads = [thread_total(0, elapsed, 0), thread_total(1, rest, elapsed - rest)];
        let total = RegionSiteTotal {
            elapsed,
            gain: (elapsed - rest) / 2,
            imbalance: elapsed - rest,
            ..region(elapsed + rest, elapsed - rest)
        };
        let analysis = run(&threads, elapsed, |r| r.push(0, total));
        (analysis.findings().len(), analysis.doubts().join(" "))
    };
    let (findings, doubt) = doubts(40);
    assert!(findings == 0 && doubt.contains("may cost 18.0 ms of 40.0 ms elapsed"), "{doubt}");
    assert!(doubt.contains("too short a run"), "{doubt}");
    assert_eq!(doubts(8), (0, String::new()));
    assert_eq!(doubts(400), (1, String::new()));
}
