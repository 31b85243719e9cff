//! Diseases of teams: imbalance, regions too small, too many threads, only one thread.

use super::*;

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
fn tiny_regions_are_named_once() {
    let total = RegionSiteTotal {
        elapsed: 900 * MS,
        work: 600 * MS,
        barrier_wait: 600 * MS,
        overhead: 600 * MS,
        gain: 200 * MS,
        ..region_total(SITE, 100_000)
    };
    let analysis = run(&ran(600 * MS), 1000 * MS, |r| r.push(0, total));
    assert_eq!(diseases(&analysis), [(Disease::TinyRegions, "region at app+0x201".to_owned())]);
}

/// Longer regions are no cure where one thread of each works more than the other.
#[test]
fn short_regions_of_unequal_work_are_imbalance() {
    let total = RegionSiteTotal {
        elapsed: 900 * MS,
        work: 1100 * MS,
        barrier_wait: 620 * MS,
        overhead: 80 * MS,
        imbalance: 600 * MS,
        gain: 300 * MS,
        ..region_total(SITE, 40_000)
    };
    let analysis = run(&ran(550 * MS), 1000 * MS, |r| r.push(0, total));
    assert_eq!(diseases(&analysis), [(Disease::Imbalance, "region at app+0x201".to_owned())]);
}

/// Where other programs have the CPUs, threads wait for members of their team that are not let run:
/// on an idle machine, regions of several microseconds may be worth it, those of less than one are
/// not.
#[test]
fn tiny_regions_are_doubted_on_a_busy_machine() {
    let found = |work: u64, kept: u64| {
        let lost = 1800 * MS - work;
        let (barrier_wait, overhead) = (lost / 2, lost / 2);
        let total = RegionSiteTotal {
            elapsed: 900 * MS,
            work,
            barrier_wait,
            overhead,
            gain: 200 * MS,
            ..region_total(SITE, 50_000)
        };
        let analysis = run(&ran(work), 1000 * MS, |r| {
            r.push(0, total);
            r.push(0, scheduling(0, 1000 * MS - kept, kept));
            r.push(1, scheduling(1, 1000 * MS - kept, kept));
        });
        (diseases(&analysis).into_iter().map(|found| found.0).collect(), analysis.doubts().to_vec())
    };
    let tiny = vec![Disease::TinyRegions];
    assert_eq!(found(800 * MS, 0), (tiny.clone(), vec![]));
    let (none, doubts) = found(800 * MS, 500 * MS);
    assert_eq!((none, doubts.len()), (vec![], 1), "{doubts:?}");
    assert!(doubts[0].contains("region at app+0x201 is entered 50,000 times"), "{doubts:?}");
    assert_eq!(found(80 * MS, 500 * MS), (tiny, vec![]));
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
    let analysis = run(&ran(1000 * MS), 1000 * MS, |r| {
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
    let total = |work, wait| RegionSiteTotal {
        team_size_sum: 40,
        elapsed: 1000 * MS,
        ..region(work, wait)
    };
    let analysis = run(&ran(1000 * MS), 1000 * MS, |r| r.push(0, total(3000 * MS, 1000 * MS)));
    assert_eq!(diseases(&analysis)[0].0, Disease::Oversubscription);
    // It costs the threads' loss, not the whole region.
    assert_eq!(analysis.findings()[0].cost, 250 * MS);
    let analysis = run(&balanced(), 1000 * MS, |r| r.push(0, total(1980 * MS, 20 * MS)));
    assert_eq!(diseases(&analysis), []);
}

/// Where both CPUs work all the time, fewer threads would take as long.
#[test]
fn a_large_team_that_keeps_the_cpus_at_work_costs_little() {
    let total = RegionSiteTotal {
        team_size_sum: 80,
        elapsed: 1000 * MS,
        overhead: 3000 * MS,
        gain: 400 * MS,
        ..region(4000 * MS, 1000 * MS)
    };
    let cost = |work: u64| {
        let analysis = run(&ran(work), 1000 * MS, |r| {
            r.push(0, total);
            r.push(0, queued_region(4000 * MS - work));
        });
        let found = analysis.findings().first().map(|found| (found.disease, found.cost));
        (found, analysis.regions()[0].gain)
    };
    assert_eq!(cost(0), (Some((Disease::Oversubscription, 500 * MS)), 400 * MS));
    assert_eq!(cost(1200 * MS), (Some((Disease::Oversubscription, 400 * MS)), 400 * MS));
    assert_eq!(cost(1992 * MS), (None, 4 * MS));
}

/// Where other programs have a CPU, threads lack one that keep the other at work; with fewer of
/// them the work is the same.
#[test]
fn a_large_team_may_keep_what_others_leave_at_work() {
    let found = |others: u64| {
        let total = RegionSiteTotal {
            team_size_sum: 40,
            elapsed: 1000 * MS,
            ..region(900 * MS, 3100 * MS)
        };
        let analysis = run(&ran(900 * MS), 1000 * MS, |r| {
            r.push(PROCESS_CHUNK, Machine { processor: b"A", cpus: 2, elapsed: 1000 * MS, others });
            r.push(0, total);
        });
        analysis.findings().first().map(|found| (found.disease, found.cost))
    };
    assert_eq!(found(1000 * MS), Some((Disease::Oversubscription, 100 * MS)));
    assert_eq!(found(0).map(|found| found.0), Some(Disease::Imbalance));
}

/// While one thread executes a single the others wait, whoever else has the CPUs.
#[test]
fn a_single_is_waited_for_on_a_busy_machine_too() {
    const SINGLE: u32 = construct_kind::WORK | 3;
    let found = |time: u64| {
        let analysis = run(&ran(1100 * MS), 1000 * MS, |r| {
            r.push(0, region(1100 * MS, 900 * MS));
            let single = construct_total(SITE, SITE + 8, SINGLE, 10);
            r.push(0, ConstructTotal { time, barrier_wait: 900 * MS, ..single });
            (0..2).for_each(|thread| r.push(0, scheduling(thread, 600 * MS, 400 * MS)));
        });
        (analysis.findings().len(), analysis.doubts().len())
    };
    assert_eq!(found(900 * MS), (1, 0));
    assert_eq!(found(100 * MS), (0, 1));
}

/// Four threads on two CPUs, only one of which works: the others would wait on any number of CPUs.
#[test]
fn threads_that_wait_crowd_no_cpu() {
    let total =
        RegionSiteTotal { team_size_sum: 40, elapsed: 1000 * MS, ..region(1000 * MS, 3000 * MS) };
    let analysis = run(&ran(1000 * MS), 1000 * MS, |r| r.push(0, total));
    assert_eq!(diseases(&analysis), [(Disease::Imbalance, "region at app+0x201".to_owned())]);
}

/// Threads that are bound to fewer CPUs than there are lack CPUs of the binding, not of the
/// machine.
#[test]
fn threads_bound_to_one_cpu_are_oversubscription() {
    let total = region(1500 * MS, 500 * MS);
    let bound = |usable| {
        run(&ran(700 * MS), 1000 * MS, |r| {
            r.push(0, Processors { usable });
            r.push(0, total);
        })
    };
    let finding = bound(1).findings()[0].clone();
    assert_eq!(finding.disease, Disease::Oversubscription);
    assert!(finding.evidence.starts_with("2 threads on 1 CPU ("), "{finding:?}");
    assert!(finding.advice.contains("OMP_PLACES"), "{finding:?}");
    assert_eq!((bound(1).summary().usable_cpus, bound(1).summary().cpus), (1, 2));
    let several = bound(2);
    assert!(several.findings().iter().all(|f| f.disease != Disease::Oversubscription));
}

#[test]
fn a_region_of_one_thread_is_named() {
    let total = RegionSiteTotal { team_size_sum: 10, elapsed: 900 * MS, ..region(900 * MS, 0) };
    let analysis = run(&[thread_total(0, 1000 * MS, 0)], 1000 * MS, |r| r.push(0, total));
    assert_eq!(diseases(&analysis), [(Disease::OneThread, "region at app+0x201".to_owned())]);
}

/// A region of one thread may contain a team, and other threads of the program may use the other
/// CPU.
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

/// Equal in sum, unequal from barrier to barrier: the table agrees with the diagnosis.
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
        assert!(row.imbalance_at_barriers > 0 && row.imbalance_at_barriers <= row.imbalance);
        (row.imbalance / MS, row.gain / MS)
    };
    // Without a microsecond of each thread at each barrier.
    assert_eq!(phases(0), (999, 499));
    // A thread that waits for a mutex comes late without having worked.
    assert_eq!(phases(600 * MS), (399, 199));
}

/// The construct inside the region is named that most of the waits are behind.
#[test]
fn what_threads_wait_behind_is_named() {
    /// With the number of `ompt_work_single_executor`.
    const SINGLE: u32 = construct_kind::WORK | 3;
    let threads = [thread_total(0, 1000 * MS, 0), thread_total(1, 500 * MS, 500 * MS)];
    let found = |single: u64, rest: u64| {
        let analysis = run(&threads, 1000 * MS, |r| {
            r.push(0, region(1500 * MS, 500 * MS));
            for (kind, place, barrier_wait) in
                [(SINGLE, 8, single), (construct_kind::BARRIER | 3, 16, rest)]
            {
                let total = construct_total(SITE, SITE + place, kind, 10);
                r.push(0, ConstructTotal { barrier_wait, ..total });
            }
        });
        let finding = &analysis.findings()[0];
        assert_eq!(finding.disease, Disease::Imbalance);
        (finding.evidence.clone(), finding.advice)
    };
    let (evidence, advice) = found(450 * MS, 50 * MS);
    let named = "; 450.0 ms of the waits are behind single at app+0x209";
    assert!(evidence.ends_with(named) && advice.contains("nowait"), "{evidence}: {advice}");
    let (evidence, advice) = found(250 * MS, 250 * MS);
    let named =
        "; 250.0 ms of the waits are behind single at app+0x209, 250.0 ms behind barrier at";
    assert!(evidence.contains(named) && advice.contains("in sum"), "{evidence}: {advice}");
}

/// Where others have the CPUs, a worker that comes late to each region is no work of the runtime.
#[test]
fn late_workers_are_no_overhead_on_a_busy_machine() {
    let found = |kept: u64| {
        let total =
            RegionSiteTotal { overhead: 800 * MS, elapsed: 1000 * MS, ..region(1200 * MS, 0) };
        let threads = [thread_total(0, 1000 * MS, 0), thread_total(1, 200 * MS, 800 * MS)];
        let analysis = run(&threads, 1000 * MS, |r| {
            r.push(0, total);
            r.push(0, scheduling(0, 1000 * MS - kept, kept));
            r.push(1, scheduling(1, 1000 * MS - kept, kept));
        });
        diseases(&analysis).into_iter().map(|(disease, _)| disease).collect::<Vec<_>>()
    };
    assert_eq!(found(0), [Disease::Overhead]);
    assert_eq!(found(800 * MS), []);
}

/// Several callers with teams of their own on two processors: a thread that waits for one on its
/// way into a region is not in the runtime. A thread that ran longer than it worked may have been.
#[test]
fn a_wait_for_a_processor_is_no_overhead() {
    let of_each = |thread| ThreadTotal {
        overhead: 800 * MS,
        alive: 900 * MS,
        ..thread_total(thread, 100 * MS, 0)
    };
    let analysis = |ran: u64| {
        let total = RegionSiteTotal {
            team_size_sum: 20,
            overhead: 4800 * MS,
            elapsed: 2700 * MS,
            ..region(600 * MS, 0)
        };
        run(&[0, 1, 2, 3, 4, 5].map(of_each), 900 * MS, |r| {
            r.push(0, total);
            (0..6).for_each(|thread| r.push(thread, scheduling(thread, ran, 900 * MS - ran)));
        })
    };
    let brief = text::TextOptions { all: false, ..text::TextOptions::default() };
    let text = |analysis: &Analysis| text::render(analysis, &brief);
    let late = "waiting for a CPU on their way into regions";
    let in_runtime = analysis(900 * MS);
    let place = "region at app+0x201".to_owned();
    assert_eq!(diseases(&in_runtime), [(Disease::Overhead, place)]);
    assert!(!text(&in_runtime).contains(late));
    let in_line = analysis(100 * MS);
    assert_eq!(diseases(&in_line), []);
    let shown = text(&in_line).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        shown.contains(&format!("89 % {late}")) && !shown.contains("% in the OpenMP"),
        "{shown}"
    );
}

/// What the profiler took is overhead, too, and no loss of the program's.
#[test]
fn the_cost_of_profiling_is_no_loss() {
    let threads = |agent: u64| {
        [0, 1].map(|thread| ThreadTotal { agent, ..thread_total(thread, 700 * MS, 300 * MS) })
    };
    let overhead = |agent: u64| {
        let total =
            RegionSiteTotal { overhead: 600 * MS, elapsed: 1000 * MS, ..region(1400 * MS, 0) };
        let analysis = run(&threads(agent), 1000 * MS, |r| r.push(0, total));
        diseases(&analysis).into_iter().map(|(disease, _)| disease).collect::<Vec<_>>()
    };
    assert_eq!(overhead(0), [Disease::Overhead]);
    assert_eq!(overhead(100 * MS), []);
    let tiny = |agent: u64| {
        let total = RegionSiteTotal {
            elapsed: 1000 * MS,
            work: 1400 * MS,
            overhead: 600 * MS,
            ..region_total(SITE, 100_000)
        };
        let analysis = run(&threads(agent), 1000 * MS, |r| r.push(0, total));
        analysis.findings().first().map(|found| (found.disease, found.cost / MS))
    };
    assert_eq!(tiny(0), Some((Disease::TinyRegions, 299)));
    assert_eq!(tiny(100 * MS), Some((Disease::TinyRegions, 200)));
}

/// Two regions with the same overhead have half of the profiler's cost each.
#[test]
fn regions_share_the_cost_of_profiling() {
    let agent = 100 * MS;
    let threads =
        [0, 1].map(|thread| ThreadTotal { agent, ..thread_total(thread, 700 * MS, 300 * MS) });
    let site = |codeptr_ra: u64| RegionSiteTotal {
        elapsed: 500 * MS,
        work: 700 * MS,
        overhead: 300 * MS,
        ..region_total(codeptr_ra, 100_000)
    };
    let analysis = run(&threads, 1000 * MS, |recorder| {
        recorder.push(0, site(SITE));
        recorder.push(0, site(SITE + 0x100));
    });
    let costs = analysis.findings().iter().map(|found| (found.disease, found.cost / MS));
    assert_eq!(costs.collect::<Vec<_>>(), [(Disease::TinyRegions, 100); 2]);
}

/// The time between two events is not all the program's: for a tiny loop, the report gives only a
/// bound.
#[test]
fn tiny_work_between_meetings_is_a_bound() {
    let evidence = |meetings: u32| {
        let threads = [0, 1].map(|thread| thread_total(thread, 200 * MS, 800 * MS));
        let analysis = run(&threads, 1000 * MS, |r| {
            r.push(0, region(400 * MS, 1600 * MS));
            let kind = construct_kind::BARRIER | 3;
            let total = construct_total(SITE, SITE + 8, kind, meetings.into());
            r.push(0, ConstructTotal { barrier_wait: 1600 * MS, ..total });
        });
        let finding = &analysis.findings()[0];
        assert_eq!(finding.disease, Disease::TinyLoops);
        finding.evidence.clone()
    };
    assert!(evidence(400_000).contains(": at most 500 ns of work for"), "{}", evidence(400_000));
    assert!(evidence(100_000).contains(": 2.0 us of work for"), "{}", evidence(100_000));
}
