//! Tests what a waiting program notices of the agent, and what the agent knows of the program's
//! waits.

mod support;

use omphalos_profile_format::RegionSiteTotal;
use support::*;

#[test]
fn sleeps_are_as_long_as_ever() {
    for scratch in Scratch::each("sleeps") {
        let program = compile(&scratch, "sleeps", Compiler::Clang, &[]);
        let record = scratch.path("record");
        let mut command = profiled(&scratch, &program, &record);
        command.env("OMPHALOS_PROFILE_HZ", "5000");
        assert_eq!(run(&mut command), "ok\n");
    }
}

/// A sleep is named too where the program makes the system call itself, or a call that few programs
/// make.
#[test]
fn sleeps_by_rare_ways_are_named() {
    for scratch in Scratch::each("raw") {
        let program = compile(&scratch, "raw", Compiler::Gcc, &[]);
        let record = scratch.path("record");
        let said = run(profiled(&scratch, &program, &record).current_dir(scratch.path("")));
        assert_eq!(said, "done\n");
        let found = read(&record);
        for call in ["nanosleep", "futex", "mq_timedreceive", "recv", "fcntl", "open"] {
            let time = found.calls.get(&(0, call.to_owned())).copied().unwrap_or(0);
            // The other calls last until a child gets to its work, which may be sooner.
            let least = match call {
                "fcntl" | "open" => 1,
                "recv" => 140_000_000,
                _ => 80_000_000,
            };
            assert!(time >= least, "{call}: {time} ns of {:?}", found.calls);
        }
    }
}

/// A thread that waits for a processor does not sleep, though it is in a call.
#[test]
fn a_call_without_a_processor_is_not_blocked() {
    for scratch in Scratch::each("cached") {
        let program = compile(&scratch, "cached", Compiler::Gcc, &[]);
        let record = scratch.path("record");
        let truth = figures(&run(&mut profiled(&scratch, &program, &record)));
        let found = read(&record);
        let blocked: u64 = found.scheduling.values().map(|thread| thread.blocked_work).sum();
        assert!(blocked as f64 * 1e-9 < 0.1 * truth["inside"], "{blocked} ns of {truth:?}");
    }
}

/// Being blocked is not working: by thread, by call and region, and by sample.
#[test]
fn what_is_blocked_is_known_and_named() {
    for scratch in Scratch::each("blocked") {
        let program = compile(&scratch, "blocked", Compiler::Gcc, &["-O1"]);
        let blocked = |found: &Recorded| {
            let of = |field: fn(&omphalos_profile_format::ThreadScheduling) -> u64| {
                found.scheduling.values().map(field).sum::<u64>()
            };
            (of(|thread| thread.blocked_work), of(|thread| thread.blocked_serial))
        };
        let (truth, found) = best(&scratch, &program, 0.05, |truth, found| {
            let (work, serial) = blocked(found);
            part(work, truth["region"]).max(part(serial, truth["serial"]))
        });
        let (work, serial) = blocked(&found);
        close(work as f64 * 1e-9, truth["region"], 0.05, "blocked in the region");
        close(serial as f64 * 1e-9, truth["serial"], 0.05, "blocked outside");
        let site = found.regions[0].codeptr_ra;
        for (place, call) in
            [(site, "usleep"), (site, "poll"), (0, "pthread_join"), (0, "waitpid"), (0, "recv")]
        {
            let time = found.calls.get(&(place, call.to_owned())).copied().unwrap_or(0);
            assert!(time >= 40_000_000, "{call}: {time} ns of {:?}", found.calls);
            // Samples of the call begin in the C library's function, called by the program.
            let mine: Vec<_> =
                found.sample_calls.iter().filter(|(_, name, _)| name == call).collect();
            let weight: u64 = mine.iter().map(|(sample, ..)| u64::from(sample.weight)).sum();
            // In a call that moves data a thread may wait for a processor, which is no sleep: its
            // samples may count for more. It sleeps for 60 ms, and then gives up.
            if call == "recv" {
                assert!(time >= 54_000_000, "{call}: {time} ns");
                assert!(weight as f64 * 1e6 >= 0.9 * time as f64, "{call}: {weight} {time}");
            } else {
                close(weight as f64 * 1e6, time as f64, 0.1, call);
            }
            let base = found.base("/blocked");
            let functions = Functions::of(&program);
            for (sample, ..) in &mine {
                let frames = found.frames(sample);
                let caller = functions.at(frames[1].wrapping_sub(base + 1));
                assert!(caller.is_some_and(|name| name.starts_with("main")), "{call}: {caller:?}");
                assert!(found.modules.iter().all(|module| {
                    module.base > frames[0]
                        || module.end <= frames[0]
                        || module.path.contains("libc.")
                }));
            }
        }
        for total in found.threads.values() {
            classes_add_up(total);
            let scheduling = &found.scheduling[&total.thread];
            assert!(scheduling.blocked_work <= total.work, "{scheduling:?} {total:?}");
            assert!(scheduling.blocked_serial <= total.serial_work, "{scheduling:?} {total:?}");
            let known = scheduling.running + scheduling.runnable;
            assert!(known <= total.alive + 20_000_000, "{scheduling:?} {total:?}");
        }
    }
}

/// A stream's call that sleeps is blocked, by its name, however little it asks for; the program
/// gets from it what it asked for.
#[test]
fn streams_that_sleep_are_named() {
    for scratch in Scratch::each("streams") {
        for (level, checks) in [("-O0", "-U_FORTIFY_SOURCE"), ("-O2", "-D_FORTIFY_SOURCE=2")] {
            let program = compile(&scratch, "streams", Compiler::Gcc, &[level, checks]);
            let record = scratch.path(level);
            assert_eq!(run(&mut profiled(&scratch, &program, &record)), "ok 0\n");
            let found = read(&record);
            let blocked = |call: &str| {
                found.calls.get(&(0, call.to_owned())).copied().unwrap_or(0) / 20_000_000
            };
            for (call, times) in [("fscanf", 3), ("fprintf", 1), ("scanf", 1)] {
                assert!(blocked(call) >= times, "{call}: {:?}", found.calls);
            }
            for call in "fgets getline fread printf puts fputs putc fwrite".split(' ') {
                assert!(blocked(call) >= 1, "{call}: {:?}", found.calls);
            }
            // A header may make one of these of the other.
            assert!(blocked("getc") + blocked("getchar") >= 3, "{:?}", found.calls);
            assert_eq!(found.damage, 0);
        }
    }
}

/// Threads that will never wake are seen where they sleep, and waits that have not ended count.
#[test]
fn a_hang_shows_where_its_threads_are() {
    for scratch in Scratch::each("hang") {
        let program = compile(&scratch, "blocked", Compiler::Gcc, &["-O1"]);
        let record = scratch.path("record");
        let mut child = profiled(&scratch, &program, &record)
            .arg("hang")
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("a process");
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
        let found = loop {
            assert!(std::time::Instant::now() < deadline, "the hang was not seen");
            std::thread::sleep(std::time::Duration::from_millis(100));
            if !record.metadata().is_ok_and(|data| data.len() > 1000) {
                continue;
            }
            let found = read(&record);
            let asleep = |thread| {
                found.sample_calls.iter().any(|(sample, name, _)| {
                    sample.thread == thread && name == "pause" && sample.region != 0
                })
            };
            let open = found.forks.first().is_some_and(|first| {
                let other = |site: &&RegionSiteTotal| site.codeptr_ra != first.codeptr_ra;
                found.regions.iter().filter(other).any(|site| site.elapsed > 300_000_000)
            });
            if asleep(0) && asleep(1) && open {
                break found;
            }
        };
        // SAFETY: a plain system call; the process is the child or its own, for which no code has
        // waited.
        assert_eq!(unsafe { libc::kill(found.pid.cast_signed(), libc::SIGKILL) }, 0);
        child.wait().expect("its end");
        assert_eq!(found.regions.iter().map(|site| site.instances).sum::<u64>(), 2);
        let call = found.calls.iter().find(|((place, name), _)| *place != 0 && name == "pause");
        assert!(call.is_some_and(|(_, time)| *time > 200_000_000), "{:?}", found.calls);
    }
}

/// No tick meets a system call, whether the C library makes it or the program itself.
#[test]
fn calls_return_and_move_what_they_do_alone() {
    for scratch in Scratch::each("calls") {
        let program = compile(&scratch, "calls", Compiler::Clang, &[]);
        for hz in ["20", "1000", "20000"] {
            let record = scratch.path(hz);
            let mut command = profiled(&scratch, &program, &record);
            let said = run(command.env("OMPHALOS_PROFILE_HZ", hz));
            assert!(said.ends_with(" calls, 0 bad\n"), "{hz} Hz: {said}");
            assert!(said.split_whitespace().next().and_then(|calls| calls.parse().ok()) > Some(40));
        }
    }
}

#[test]
fn a_storm_of_signals_breaks_nothing() {
    for scratch in Scratch::each("storm") {
        let program = compile(&scratch, "storm", Compiler::Clang, &[]);
        let record = scratch.path("record");
        let mut command = profiled(&scratch, &program, &record);
        command.env("OMPHALOS_PROFILE_HZ", "10000");
        assert_eq!(run(&mut command).trim(), (300 * 80).to_string());
        let found = read(&record);
        assert_eq!((found.damage, found.bad_records), (0, 0));
        let region = &found.regions[0];
        assert_eq!(region.instances, 300);
        assert_eq!((region.tasks_created, region.tasks_executed), (1200, 1200));
    }
}

#[test]
fn sleeping_threads_are_asked_less_and_count_as_much() {
    for scratch in Scratch::each("resting") {
        let program = compile(&scratch, "resting", Compiler::Clang, &[]);
        let record = scratch.path("record");
        let mut command = profiled(&scratch, &program, &record);
        run(command.env("OMP_WAIT_POLICY", "passive").env("KMP_BLOCKTIME", "0"));
        let found = read(&record);
        for total in found.threads.values() {
            let of_thread = || found.samples.iter().filter(|sample| sample.thread == total.thread);
            let weights: u64 = of_thread().map(|sample| u64::from(sample.weight)).sum();
            let periods = total.alive as f64 * 1e-6;
            close(weights as f64, periods, 0.1, "samples' weights");
            if total.thread >= 2 {
                let count = of_thread().count() as f64;
                assert!(count < periods / 2.0, "{count} samples in {periods} periods: {total:?}");
            }
            classes_add_up(total);
        }
    }
}
