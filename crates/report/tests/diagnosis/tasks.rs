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
    let analysis = run(&ran(200 * MS), 1000 * MS, |r| {
        r.push(0, total);
        r.push(0, task(APP + 0x301));
        r.push(0, task(APP + 0x401));
    });
    let costs = analysis.findings().iter().filter(|f| f.disease == Disease::SmallTasks);
    let sum: u64 = costs.map(|finding| finding.cost).sum();
    assert!(sum > 400 * MS && sum <= 900 * MS, "{sum}");
}
