//! Programs with known limits: the sentence names them, and the forecast for twice the threads is
//! near the program's real time.

mod support;

use omphalos_scale::{Limit, Machine, Outputs, Scaling};
use support::{ADVICE, MS, Program, Region, machine, scaling, scaling_on};

const SIZES: [u32; 4] = [1, 2, 4, 8];

/// Asserts that the sentence names the limit, that the forecast from the sizes is near the truth,
/// and that the figures of each construct add up.
fn holds(limit: Limit, says: &[&str], of: impl Fn(u32) -> Program) -> Scaling {
    let found = scaling(&SIZES, &of);
    assert_eq!(found.limit, limit, "{}", found.sentence);
    for part in says {
        assert!(found.sentence.contains(part), "{part}: {}", found.sentence);
    }
    let truth = of(16).report(16)["summary"]["elapsed_ns"].as_f64().unwrap();
    let foretold = found.forecast.unwrap();
    let off = (foretold.elapsed_ns / truth - 1.0).abs();
    assert!(foretold.threads == 16 && off < 0.15, "{} instead of {truth}", foretold.elapsed_ns);
    for construct in &found.constructs {
        for row in construct.sizes.iter().flatten() {
            let sum = row.ideal_ns + row.lost.sum();
            assert!((sum - row.elapsed_ns).abs() < 0.01 * MS, "{sum} {}", row.elapsed_ns);
        }
    }
    for size in &found.sizes {
        let of = size.factors;
        let product =
            of.serial * of.team * of.load_balance * of.serialisation * of.runtime * of.processor;
        assert!((product - of.parallel).abs() < 1e-9, "{of:?}");
        assert!((of.parallel * of.computation - of.global).abs() < 1e-9, "{of:?}");
        assert!((of.global - size.efficiency).abs() < 1e-3, "{of:?} {}", size.efficiency);
    }
    found
}

fn one(region: Region) -> Program {
    Program { regions: vec![Region { line: 10, ..region }], ..Program::default() }
}

#[test]
fn a_serial_tenth() {
    let found = holds(
        Limit::SerialTime,
        &["8 threads are 4.71 times as fast as 1", "in prepare", "stays below 10.0 times"],
        |_| {
            let findings = vec![("serial-time", "prepare at app.c:3".to_owned())];
            Program { serial: 100.0, findings, ..one(Region { work: 900.0, ..Region::default() }) }
        },
    );
    assert!((found.sizes[3].amdahl_speedup - found.sizes[3].speedup).abs() < 0.01);
    assert!((found.amdahl_bound.unwrap() - 10.0).abs() < 0.01);
}

#[test]
fn a_lock() {
    // 400 ms under a lock: the rest keeps two and a half threads busy.
    let of = |threads: u32| {
        let elapsed = f64::max(1000.0 / f64::from(threads), 400.0);
        let mutex = elapsed * f64::from(threads) - 1000.0;
        let findings = vec![("hot-mutex", "critical (table) at app.c:12 in insert".to_owned())];
        Program {
            findings,
            held: 400.0,
            ..one(Region { work: 1000.0, mutex, ..Region::default() })
        }
    };
    let found = holds(Limit::Lock, &["wait for critical (table) at app.c:12 in insert"], of);
    assert_eq!(found.knee_threads, Some(2), "{}", found.sentence);
    assert_eq!(found.causes[0].advice.as_deref(), Some(ADVICE));
    // One size is enough to learn how long the lock is held.
    let alone = scaling(&[2], of).forecast.unwrap();
    assert!((alone.elapsed_ns / MS - 400.0).abs() < 1.0, "{alone:?}");
}

#[test]
fn the_memory() {
    // The memory serves four threads.
    holds(Limit::WorkAdded, &["memory bandwidth", "compute longer in all"], |threads| {
        one(Region { work: 1000.0 * f64::from(threads.max(4)) / 4.0, ..Region::default() })
    });
}

#[test]
fn imbalance_that_grows() {
    // Rows of a triangle, the same number for each thread.
    let says = ["Load imbalance that grows with the threads limits it", "of their time"];
    holds(Limit::Imbalance, &says, |threads| {
        let n = f64::from(threads);
        let elapsed = 1000.0 * (2.0 * n - 1.0) / (n * n);
        one(Region { work: 1000.0, barrier: elapsed * n - 1000.0, ..Region::default() })
    });
}

#[test]
fn false_sharing() {
    let says = ["take cache lines from each other", "counts at app.c:12 in count"];
    holds(Limit::FalseSharing, &says, |threads| {
        let place = "counts at app.c:12 in count".to_owned();
        let findings = if threads > 1 { vec![("false-sharing", place)] } else { Vec::new() };
        let work = if threads > 1 { 600.0 * f64::from(threads) } else { 300.0 };
        Program { findings, ..one(Region { work, ..Region::default() }) }
    });
}

#[test]
fn more_threads_than_cpus() {
    let fine = |_| one(Region { work: 1000.0, ..Region::default() });
    let crowded = |threads: u32| match threads {
        0..=2 => fine(threads),
        _ => {
            let without_cpu = 500.0 * f64::from(threads) - 1000.0;
            one(Region { work: 1000.0, without_cpu, ..Region::default() })
        }
    };
    let found = scaling_on(machine(2), &SIZES, crowded);
    assert_eq!(found.limit, Limit::Oversubscription, "{}", found.sentence);
    assert_eq!(found.judged_threads, 2);
    let marked: Vec<bool> = found.sizes.iter().map(|size| size.is_oversubscribed).collect();
    assert_eq!(marked, [false, false, true, true]);
    // The times of these sizes tell nothing about more CPUs.
    assert!((found.forecast.unwrap().elapsed_ns / MS - 250.0).abs() < 1.0);
    assert!(found.sentence.contains("2 threads are 2.00 times as fast as 1"), "{}", found.sentence);
    // The program's own teams: two CPUs do the work.
    let own = |threads: u32| {
        let team = 8 * threads;
        let without_cpu = 500.0 * f64::from(team) - 1000.0;
        one(Region { team: Some(team), work: 1000.0, without_cpu, ..Region::default() })
    };
    let found = scaling_on(machine(2), &[1, 2], own);
    assert_eq!(found.limit, Limit::Oversubscription, "{}", found.sentence);
    assert!(found.sentence.contains("has more threads than the 2 CPUs"), "{}", found.sentence);
}

#[test]
fn nothing_limits_it() {
    let found = holds(Limit::None, &["Scales well: 8 threads are 8.00 times as fast as 1"], |_| {
        one(Region { work: 1000.0, ..Region::default() })
    });
    assert_eq!(found.knee_threads, None);
    assert!(found.causes.is_empty());
}

#[test]
fn a_team_that_is_always_the_same() {
    let of = |_| one(Region { team: Some(2), work: 1000.0, ..Region::default() });
    let found = scaling(&[1, 2], of);
    assert_eq!(found.limit, Limit::FixedTeam, "{}", found.sentence);
    let found = scaling(&SIZES, of);
    assert_eq!(found.limit, Limit::FixedTeam, "{}", found.sentence);
    assert!(found.sentence.contains("whatever is asked for"), "{}", found.sentence);
}

#[test]
fn hyper_threads_are_no_work_added_and_slow_cores_no_imbalance() {
    let shared = |threads: u32| {
        let work = if threads > 4 { 1600.0 } else { 1000.0 };
        one(Region { work, ..Region::default() })
    };
    let mut of_pairs = machine(8);
    of_pairs.cpus.iter_mut().for_each(|cpu| cpu.core = cpu.number % 4);
    let found = scaling_on(of_pairs, &SIZES, shared);
    assert_eq!(found.limit, Limit::SharedCores, "{}", found.sentence);
    assert!(found.sizes[3].shares_cores && !found.sizes[2].shares_cores);
    // Sizes that share no core tell the gain of more cores.
    assert!((found.forecast.unwrap().elapsed_ns / MS - 62.5).abs() < 0.1, "{:?}", found.forecast);

    let late = |threads: u32| {
        let barrier = if threads > 2 { 400.0 } else { 0.0 };
        one(Region { work: 1000.0, barrier, ..Region::default() })
    };
    let mut mixed = machine(4);
    (mixed.cpus.iter_mut())
        .for_each(|cpu| cpu.capacity = Some(if cpu.number < 2 { 1024 } else { 500 }));
    let found = scaling_on(mixed, &[1, 2, 4], late);
    assert_eq!(found.limit, Limit::UnequalCores, "{}", found.sentence);
    assert!(found.sentence.contains("2 of 4 cores are fast ones"), "{}", found.sentence);
}

#[test]
fn a_busy_machine_is_no_limit_of_the_program() {
    let of = |threads: u32| {
        let more = f64::from(threads);
        let findings = vec![("hot-mutex", "critical (table)".to_owned())];
        let region = Region {
            work: 1000.0,
            without_cpu: 3000.0 * more,
            barrier: 400.0,
            mutex: 200.0 * (more - 1.0),
            ..Region::default()
        };
        Program { is_busy: true, findings, ..one(region) }
    };
    let found = scaling(&[1, 2], of);
    assert_eq!(found.limit, Limit::Lock, "{}", found.sentence);
    assert!(
        found.sentence.contains("say little") && found.forecast.is_none(),
        "{}",
        found.sentence
    );
    let found = scaling(&[1, 2], |threads| Program { findings: Vec::new(), ..of(threads) });
    assert_eq!(found.limit, Limit::BusyMachine, "{}", found.sentence);
}

#[test]
fn a_first_size_that_others_slowed_down_hides_no_limit() {
    let of = |threads: u32| {
        let findings = vec![("hot-mutex", "critical (table)".to_owned())];
        let (others, waits) = if threads == 1 { (3000.0, 0.0) } else { (0.0, 400.0) };
        let region =
            Region { work: 1000.0, without_cpu: others, mutex: waits, ..Region::default() };
        Program { is_busy: true, findings, ..one(region) }
    };
    let found = scaling(&[1, 2], of);
    assert!(found.sizes[1].efficiency > 1.0, "{:?}", found.sizes[1]);
    assert_eq!(found.limit, Limit::Lock, "{}", found.sentence);
}

#[test]
fn one_size_foretells_the_least() {
    let of = |_| Program { serial: 100.0, ..one(Region { work: 900.0, ..Region::default() }) };
    let found = scaling(&[1], of);
    assert!(found.sentence.contains("stays below 10.0 times"), "{}", found.sentence);
    let foretold = found.forecast.unwrap();
    assert!(foretold.is_least && (foretold.elapsed_ns / MS - 550.0).abs() < 0.1, "{foretold:?}");
    assert!(Scaling::of(Vec::new(), Machine::default(), Outputs::default()).is_err());
}
