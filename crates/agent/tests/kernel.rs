//! What a thread does in the kernel has its place, and is done as without the agent.

mod support;

use std::path::Path;
use support::*;

/// The weights of the samples in the program's function, in regions or outside, as seconds.
fn seconds_in(found: &Recorded, program: &Path, name: &str, in_region: bool) -> f64 {
    let functions = Functions::of(program);
    let base = found.base(&program.to_string_lossy());
    let in_it = found.samples.iter().filter(|sample| {
        (sample.region != 0) == in_region
            && functions.along(found, base, sample).first() == Some(&name)
    });
    in_it.map(|sample| f64::from(sample.weight)).sum::<f64>() * 1e-3
}

/// Time goes to the function that touches the pages, whatever part of it the kernel takes.
#[test]
fn page_faults_count_where_they_come() {
    const ALONE: [&str; 3] = ["once", "twice", "often"];
    for scratch in Scratch::each("touched") {
        let program = compile(&scratch, "touched", Compiler::Gcc, &["-O1"]);
        let all = |found: &Recorded| {
            let of = |name| [false, true].map(|inside| seconds_in(found, &program, name, inside));
            ALONE.map(of)
        };
        let (truth, found) = best(&scratch, &program, 0.1, |truth, found| {
            let far = ALONE.iter().zip(all(found)).flat_map(|(name, [alone, inside])| {
                let inside = (inside, truth[&format!("region_{name}")]);
                [(alone, truth[*name]), inside].map(|(found, truth)| (found - truth).abs() / truth)
            });
            far.fold(0.0, f64::max)
        });
        for (name, [alone, inside]) in ALONE.iter().zip(all(&found)) {
            close(alone, truth[*name], 0.15, name);
            close(inside, truth[&format!("region_{name}")], 0.15, &format!("{name} in a region"));
        }
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
