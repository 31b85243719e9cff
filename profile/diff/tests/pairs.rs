//! Pairs of programs in which one known thing was changed: the first sentence names it, with its
//! effect on the elapsed time; where nothing changed, it names nothing.

mod support;

use omphalos_diff::{Comparison, Kind, Status, Verdict};
use serde_json::json;
use support::{MS, Program, Region, compare, compare_runs};

fn solver() -> Region {
    Region::at(20, "solve", &[("stencil", 300.0), ("norm", 100.0)])
}

fn other() -> Region {
    Region::at(40, "smooth", &[("smooth", 200.0)])
}

fn says(comparison: &Comparison, parts: &[&str]) {
    for part in parts {
        assert!(comparison.sentence.contains(part), "{part}: {}", comparison.sentence);
    }
    assert!(comparison.sentence.ends_with('.'), "{}", comparison.sentence);
}

/// Asserts that the rows that are no parts of others add up to the elapsed time.
fn adds_up(comparison: &Comparison) {
    let sum: f64 = comparison.parts.iter().map(|row| row.time.by()).sum();
    assert!((sum - comparison.elapsed.by()).abs() < 0.1 * MS, "{sum}");
}

#[test]
fn a_schedule() {
    let mut before = solver();
    before.barrier = 200.0;
    let mut after = solver();
    after.inner = "for (dynamic)";
    let found = compare(&Program::of(&[before, other()]), &Program::of(&[after, other()]));
    says(
        &found,
        &[
            "Faster by 200.0 ms (24 %)",
            "region at app.c:20 in solve (-200.0 ms)",
            "for (static) is for (dynamic)",
            "wait 200.0 ms less at barriers",
        ],
    );
    adds_up(&found);
}

#[test]
fn a_lock_split() {
    let (mut before, mut after) = (solver(), solver());
    (before.mutex, after.mutex) = (150.0, 10.0);
    let (mut before, mut after) = (Program::of(&[before, other()]), Program::of(&[after, other()]));
    before.mutexes = vec![("lock table", 300.0)];
    after.mutexes = vec![("lock table[3]", 15.0), ("lock table[7]", 5.0)];
    let found = compare(&before, &after);
    says(&found, &["Faster by 140.0 ms", "in solve (-140.0 ms)", "140.0 ms less for lock table"]);
    let gone = found.beside.iter().find(|row| row.label == "lock table").unwrap();
    assert_eq!((gone.kind, gone.status), (Kind::Mutex, Status::Gone));
}

#[test]
fn a_function_twice_as_slow() {
    let mut after = solver();
    after.work[1].1 = 200.0;
    let found = compare(&Program::of(&[solver(), other()]), &Program::of(&[after, other()]));
    says(
        &found,
        &["Slower by 100.0 ms (15 %)", "in solve (+100.0 ms)", "function norm takes 100.0 ms more"],
    );
    adds_up(&found);
}

#[test]
fn a_function_outside_of_regions() {
    let mut after = Program::of(&[solver()]);
    after.serial = vec![("setup", 150.0)];
    let found = compare(&Program::of(&[solver()]), &after);
    says(&found, &["Slower by 100.0 ms", "outside of parallel regions", "function setup takes"]);
}

#[test]
fn a_line_moved() {
    let mut after = solver();
    after.line = 23;
    let found = compare(&Program::of(&[solver(), other()]), &Program::of(&[after, other()]));
    assert_eq!(found.verdict, Verdict::Same);
    says(
        &found,
        &["No difference beyond the noise", "region at app.c:20 in solve moved to app.c:23"],
    );
}

#[test]
fn a_function_renamed() {
    let mut after = solver();
    after.work[0].0 = "stencil_5";
    let found =
        compare(&Program::of(&[solver(), other()]), &Program::of(&[after.clone(), other()]));
    assert_eq!(found.verdict, Verdict::Same);
    says(&found, &["stencil is called stencil_5 now"]);
    after.function = "solve_all";
    after.work[0].0 = "stencil";
    let found = compare(&Program::of(&[solver(), other()]), &Program::of(&[after, other()]));
    says(&found, &["region at app.c:20 in solve is called region at app.c:20 in solve_all now"]);
}

#[test]
fn twice_the_input() {
    let mut after = solver();
    after.iterations = Some(20_000);
    after.work.iter_mut().for_each(|(_, ms)| *ms *= 2.0);
    let found = compare(&Program::of(&[solver(), other()]), &Program::of(&[after, other()]));
    says(
        &found,
        &[
            "Slower by 400.0 ms",
            "20,000 iterations instead of 10,000",
            "2.0 times the work, each as long as before",
        ],
    );
    let input = &found.circumstances[0];
    assert_eq!(
        (&*input.what, &*input.before, &*input.after),
        ("iterations of loops", "20,000", "30,000")
    );
}

#[test]
fn more_threads() {
    let mut after = solver();
    after.threads = 4.0;
    after.work.iter_mut().for_each(|(_, ms)| *ms /= 2.0);
    let mut after = Program::of(&[after]);
    after.threads = 4;
    after.environment.push("OMP_NUM_THREADS=4");
    let found = compare(&Program::of(&[solver()]), &after);
    says(&found, &["Faster by 200.0 ms", "4.0 threads instead of 2.0"]);
    let what: Vec<&str> = found.circumstances.iter().map(|one| &*one.what).collect();
    assert_eq!(what, ["threads", "OMP_NUM_THREADS"]);
}

#[test]
fn a_serial_part_made_parallel() {
    let mut before = Program::of(&[solver()]);
    before.serial = vec![("setup", 50.0), ("smooth", 400.0)];
    let found = compare(&before, &Program::of(&[solver(), other()]));
    says(
        &found,
        &[
            "Faster by 200.0 ms",
            "outside of parallel regions (-400.0 ms)",
            "function smooth, which took 400.0 ms, is gone",
            "region at app.c:40 in smooth (+200.0 ms), which is new",
        ],
    );
    adds_up(&found);
}

#[test]
fn another_compiler() {
    let mut after = Program::of(&[solver(), other()]);
    after.compilers = vec!["clang version 19"];
    after.regions[0].work[0].0 = "stencil.constprop.0";
    // gcc's code tells no iterations of static loops.
    after.regions[1].iterations = None;
    let found = compare(&Program::of(&[solver(), other()]), &after);
    assert_eq!(found.verdict, Verdict::Same);
    assert_eq!(found.circumstances.len(), 1, "{:?}", found.circumstances);
    assert_eq!(found.circumstances[0].what, "compiler");
    assert!(found.parts.iter().all(|row| row.status == Status::Same), "{:?}", found.parts);
}

#[test]
fn a_region_came_between() {
    let new = Region::at(30, "solve", &[("copy", 90.0)]);
    let mut last = Region::at(35, "solve", &[("norm", 120.0)]);
    last.instances = 7;
    let mut moved = last.clone();
    moved.line = 45;
    let before = Program::of(&[solver(), last]);
    let after = Program::of(&[solver(), Region { instances: 1, ..new }, moved]);
    let found = compare(&before, &after);
    says(&found, &["Slower by 90.0 ms", "region at app.c:30 in solve (+90.0 ms), which is new"]);
    let statuses: Vec<Status> = found.parts.iter().map(|row| row.status).collect();
    assert!(statuses.contains(&Status::Moved) && !statuses.contains(&Status::Gone), "{statuses:?}");
}

#[test]
fn nothing_at_all() {
    let program = Program::of(&[solver(), other()]);
    for seed in 0..20 {
        for count in [2, 3, 5] {
            let found = compare_runs(
                &program.runs(count, 2 * seed + 1),
                &program.runs(count, 2 * seed + 2),
            );
            assert_eq!(found.verdict, Verdict::Same, "{}", found.sentence);
            says(&found, &["No difference beyond the noise"]);
            assert!(!found.sentence.contains("but "), "{}", found.sentence);
            assert!(found.circumstances.is_empty(), "{:?}", found.circumstances);
        }
    }
}

#[test]
fn a_twentieth_is_seen_in_five_runs() {
    let mut slower = solver();
    slower.work[0].1 *= 1.1;
    let (before, after) = (Program::of(&[solver(), other()]), Program::of(&[slower, other()]));
    for seed in 0..20 {
        let found = compare_runs(&before.runs(5, 2 * seed + 1), &after.runs(5, 2 * seed + 2));
        assert_eq!(found.verdict, Verdict::Slower, "{}", found.sentence);
        says(&found, &["region at app.c:20 in solve", "function stencil takes"]);
        let by = found.elapsed.by() / MS;
        assert!((by - 30.0).abs() < 15.0, "{by}");
        assert!(found.is_slower_by(0.01) && !found.is_slower_by(0.10));
    }
}

#[test]
fn a_busy_machine_decides_nothing() {
    let mut after = Program::of(&[solver()]);
    after.cpu_share = 0.5;
    after.serial = vec![("setup", 900.0)];
    let found = compare(&Program::of(&[solver()]), &after);
    assert_eq!(found.verdict, Verdict::Inconclusive);
    says(&found, &["Inconclusive", "used the machine's CPUs after"]);
    assert!(!found.is_slower_by(0.0));
    assert_eq!(found.circumstances[0].what, "load");
}

/// Faults and rates are named where they changed, and nothing is where one side was not asked.
#[test]
fn counters_of_a_region() {
    let mut slower = solver();
    slower.work[0].1 = 400.0;
    let label = "region at app.c:20 in solve";
    let counted = |region: Region, faults: u64, instructions: Option<u64>| {
        let mut report = Program::of(&[region, other()]).report(1.0);
        let counts = json!({ "running_ns": 800_000_000, "page_faults": faults,
            "switches_left": 7 + faults / 10_000, "cycles": 2_000, "instructions": instructions });
        report["counters"] = json!({ "rows": [
            { "place": "region", "construct": { "label": label }, "counts": counts },
            { "place": "serial", "construct": null, "counts": {} },
        ] });
        report
    };
    let (before, after) = (counted(solver(), 18, Some(3_000)), counted(slower, 90_000, Some(600)));
    let found = compare_runs(std::slice::from_ref(&before), std::slice::from_ref(&after));
    says(
        &found,
        &["in solve (+100.0 ms): 90,000 page faults instead of 18, 0.30 instructions a cycle \
             instead of 1.50."],
    );
    let without = Program::of(&[solver(), other()]).report(1.0);
    let found = compare_runs(&[without], &[after]);
    assert!(!found.sentence.contains("page faults"), "{}", found.sentence);
}
