//! Tasks that are too small, and tasks that are not.

use super::*;

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
    let analysis = run(&ran(400 * MS), 1000 * MS, |r| {
        r.push(0, total);
        r.push(0, task);
    });
    assert_eq!(diseases(&analysis), [(Disease::SmallTasks, "task at app+0x301".to_owned())]);
}

/// A wait for another thread that the machine keeps from running is no cost of tasks.
#[test]
fn small_tasks_cost_what_ran_on_a_busy_machine() {
    let (created, executed, stolen, work) = (1_000_000, 1_000_000, 0, 2 * MS);
    let (codeptr_ra, shortest, longest) = (APP + 0x301, 0, 2500);
    let task = TaskSiteTotal { codeptr_ra, created, executed, stolen, work, shortest, longest };
    let total = RegionSiteTotal { tasks_created: 1_000_000, ..region(20 * MS, 600 * MS) };
    let threads = [thread_total(0, 20 * MS, 600 * MS), thread_total(1, 0, MS)];
    let found = |kept: u64| {
        let analysis = run(&threads, 700 * MS, |r: &mut Recorder| {
            r.push(0, total);
            r.push(0, task);
            r.push(0, scheduling(0, 120 * MS, kept));
        });
        diseases(&analysis).iter().any(|(disease, _)| *disease == Disease::SmallTasks)
    };
    assert!(found(0));
    assert!(!found(500 * MS));
}

/// One thread prepares each task for longer than others take to execute it: the cost of making
/// tasks does not explain the others' waits.
#[test]
fn a_thread_that_prepares_tasks_is_what_others_wait_for() {
    let (created, executed, stolen, work) = (20_000, 20_000, 20_000, 140 * MS);
    let (codeptr_ra, shortest, longest) = (APP + 0x301, 4_000, 240_000);
    let task = TaskSiteTotal { codeptr_ra, created, executed, stolen, work, shortest, longest };
    let found = |alone: u64| {
        let total = RegionSiteTotal {
            tasks_created: created,
            tasks_executed: executed,
            task_work: work,
            gain: (alone - 140) * MS / 2,
            ..region((alone + 140) * MS, (alone - 140) * MS)
        };
        let threads =
            [thread_total(0, alone * MS, 0), thread_total(1, 140 * MS, (alone - 140) * MS)];
        let analysis = run(&threads, alone * MS, |r| {
            r.push(0, total);
            r.push(0, task);
        });
        diseases(&analysis)
    };
    assert_eq!(found(1700), [(Disease::Imbalance, "region at app+0x201".to_owned())]);
    assert_eq!(found(200), [(Disease::SmallTasks, "task at app+0x301".to_owned())]);
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

/// Two constructs of small tasks lose the regions' time only once.
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
    let analysis = run(&ran(200 * MS), 1000 * MS, |r| {
        r.push(0, total);
        r.push(0, task(APP + 0x301));
        r.push(0, task(APP + 0x401));
    });
    let costs = analysis.findings().iter().filter(|f| f.disease == Disease::SmallTasks);
    let sum: u64 = costs.map(|finding| finding.cost).sum();
    assert!(sum > 400 * MS && sum <= 900 * MS, "{sum}");
}

/// A region of 200 tasks that work for 1.2 s on two threads, and 0.8 s of waits.
fn waiting() -> RegionSiteTotal {
    RegionSiteTotal {
        tasks_created: 200,
        tasks_executed: 200,
        task_work: 1190 * MS,
        ..region(1200 * MS, 800 * MS)
    }
}

fn tasks(at: u64, executed: u64, work: u64, longest: u64) -> TaskSiteTotal {
    TaskSiteTotal {
        codeptr_ra: APP + at,
        created: executed,
        executed,
        stolen: 0,
        work: work * MS,
        shortest: 100_000,
        longest: longest * MS,
    }
}

fn named(task_sites: [TaskSiteTotal; 2]) -> (Disease, String) {
    let threads = [thread_total(0, 600 * MS, 400 * MS), thread_total(1, 600 * MS, 400 * MS)];
    let analysis = run(&threads, 1000 * MS, |r| {
        r.push(0, waiting());
        task_sites.into_iter().for_each(|site| r.push(0, site));
    });
    diseases(&analysis)[0].clone()
}

/// Of tasks that others wait for, the one is named that is much longer than the others, wherever it
/// is made.
#[test]
fn a_long_task_is_named() {
    let of_its_own = [tasks(0x301, 195, 290, 2), tasks(0x401, 5, 900, 190)];
    assert_eq!(named(of_its_own), (Disease::LongTask, "task at app+0x401".to_owned()));
    let among_others = [tasks(0x301, 100, 600, 310), tasks(0x401, 100, 590, 10)];
    assert_eq!(named(among_others), (Disease::LongTask, "task at app+0x301".to_owned()));
}

/// The others wait for tasks that take turns.
#[test]
fn a_slow_stage_is_named() {
    let stages = [tasks(0x301, 100, 230, 3), tasks(0x401, 100, 960, 10)];
    assert_eq!(named(stages), (Disease::TaskShortage, "task at app+0x401".to_owned()));
    let alike = [tasks(0x301, 100, 595, 10), tasks(0x401, 100, 595, 10)];
    assert_eq!(named(alike).1, "region at app+0x201");
}
