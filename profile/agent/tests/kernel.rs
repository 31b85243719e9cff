//! Tests that a thread's work in the kernel has its place, and is done as without the agent.

mod support;

use omphalos_profile_format::Sample;
use std::path::Path;
use support::*;

/// Returns the processor time of the samples in the program's function, in regions or outside,
/// seconds: however long the thread waited for a processor.
fn seconds_in(found: &Recorded, program: &Path, name: &str, in_region: bool) -> f64 {
    taken_in(found, program, name, in_region).0
}

/// Returns the same, and the number of these samples.
fn taken_in(found: &Recorded, program: &Path, name: &str, in_region: bool) -> (f64, usize) {
    let functions = Functions::of(program);
    let base = found.base(&program.to_string_lossy());
    let in_it = found.samples.iter().filter(|sample| {
        (sample.region != 0) == in_region
            && functions.along(found, base, sample).first() == Some(&name)
    });
    let times: Vec<u64> = in_it.map(|sample| sample.cpu_time).collect();
    (times.iter().sum::<u64>() as f64 * 1e-9, times.len())
}

/// The kernel's tick, seconds.
fn tick() -> f64 {
    let mut tick = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure belongs to this function; this clock moves with the kernel's tick.
    unsafe { libc::clock_getres(libc::CLOCK_MONOTONIC_COARSE, &mut tick) };
    tick.tv_nsec as f64 * 1e-9
}

/// Time counts for the function that touches the pages, whatever part of it the kernel takes.
#[test]
fn page_faults_count_where_they_come() {
    const ALONE: [&str; 3] = ["once", "twice", "often"];
    for scratch in Scratch::each("touched") {
        let program = compile(&scratch, "touched", Compiler::Gcc, &["-O1"]);
        let all = |found: &Recorded| {
            let of = |name| [false, true].map(|inside| seconds_in(found, &program, name, inside));
            ALONE.map(of)
        };
        let (truth, found) = best(&scratch, &program, 0.15, |truth, found| {
            let far = ALONE.iter().zip(all(found)).flat_map(|(name, [alone, inside])| {
                let inside = (inside, truth[&format!("region_{name}")]);
                [(alone, truth[*name]), inside].map(|(found, truth)| (found - truth).abs() / truth)
            });
            far.fold(0.0, f64::max)
        });
        for (name, [alone, inside]) in ALONE.iter().zip(all(&found)) {
            close(alone, truth[*name], 0.2, name);
            close(inside, truth[&format!("region_{name}")], 0.2, &format!("{name} in a region"));
        }
        // Ticks interrupt not only user code, which is a quarter of the time at most.
        let taken = ALONE.map(|name| taken_in(&found, &program, name, false));
        let (time, samples) = taken.iter().fold((0.0, 0), |(a, b), (c, d)| (a + c, b + d));
        let ticks = time / tick();
        assert!(samples as f64 >= 0.4 * ticks, "{samples} samples in {ticks} ticks");
        found.threads.values().for_each(classes_add_up);
        for total in found.threads.values() {
            let of_thread = found.samples.iter().filter(|sample| sample.thread == total.thread);
            let weights: u64 = of_thread.map(|sample| u64::from(sample.weight)).sum();
            close(weights as f64, total.alive as f64 * 1e-6, 0.1, "samples' weights");
        }
    }
}

/// Ticks come while a system call of the program's own is at work, and it moves all it is asked to.
#[test]
fn system_calls_are_seen_and_end_as_ever() {
    for scratch in Scratch::each("moved") {
        let program = compile(&scratch, "moved", Compiler::Gcc, &["-O1"]);
        for hz in ["20", "1000", "20000"] {
            let record = scratch.path(hz);
            let mut command = profiled(&scratch, &program, &record);
            let said = run(command.env("OMPHALOS_PROFILE_HZ", hz));
            let truth = figures(&said);
            assert_eq!(truth["bad"], 0.0, "{hz} Hz: {said}");
            if hz == "1000" {
                let found = read(&record);
                let seen: f64 = ["zeros", "randoms", "piped"]
                    .map(|name| seconds_in(&found, &program, name, false))
                    .iter()
                    .sum();
                assert!(seen >= 0.7 * truth["moved"], "{seen} s of {said}");
            }
        }
    }
}

/// A thread's waits for a processor are in the records of its samples, all of them.
#[test]
fn samples_say_what_was_lost_to_others() {
    for scratch in Scratch::each("beside") {
        let program = compile(&scratch, "beside", Compiler::Gcc, &["-O1"]);
        let record = scratch.path("record");
        let truth = figures(&run(&mut profiled(&scratch, &program, &record)));
        let found = read(&record);
        let queued = found.queued.get(&0).copied().unwrap_or(0) as f64 * 1e-9;
        assert!(queued >= 0.7 * truth["lost"], "{queued} s of {truth:?}");
        close(queued, found.scheduling[&0].runnable as f64 * 1e-9, 0.1, "all that it waited");
    }
}

/// A region's work without a tick does not count for the time after the region.
#[test]
fn regions_keep_what_no_tick_saw() {
    for scratch in Scratch::each("unticked") {
        let program = compile(&scratch, "unticked", Compiler::Gcc, &["-O1"]);
        let record = scratch.path("record");
        let truth = figures(&run(&mut profiled(&scratch, &program, &record)));
        let found = read(&record);
        let weight = |is_counted: fn(&Sample) -> bool| {
            let counted = found.samples.iter().filter(|sample| is_counted(sample));
            counted.map(|sample| f64::from(sample.weight)).sum::<f64>()
        };
        let share = weight(|sample| sample.region != 0) / weight(|_| true);
        let sampled = share * found.threads[&0].alive as f64 * 1e-9;
        close(sampled, truth["region"], 0.1, "what is sampled in regions");
    }
}
