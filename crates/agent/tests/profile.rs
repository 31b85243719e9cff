//! The agent on LLVM's runtime, through its real surface: programs run with it, records read.

mod support;

use omphalos_ompt::MutexKind;
use omphalos_profile_format::{ConstructTotal, RegionSiteTotal, TaskSiteTotal, construct_kind};
use std::collections::HashMap;
use support::*;

/// Runs `program` until `differs` (the largest part by which figures differ from the program's own)
/// is within `most`, at most five times; answers the best run. What the system takes between the
/// program's clock and the runtime's event is in one of the two only, so a run can be disturbed.
fn best(
    scratch: &Scratch,
    program: &std::path::Path,
    most: f64,
    differs: impl Fn(&HashMap<String, f64>, &Recorded) -> f64,
) -> (HashMap<String, f64>, Recorded) {
    let record = scratch.path("record");
    let mut best: Option<(f64, HashMap<String, f64>, Recorded)> = None;
    for _ in 0..5 {
        let _ = std::fs::remove_file(&record);
        let truth = figures(&run(&mut profiled(scratch, program, &record)));
        let found = read(&record);
        let now = differs(&truth, &found);
        if best.as_ref().is_none_or(|(before, ..)| now < *before) {
            best = Some((now, truth, found));
        }
        if now <= most {
            break;
        }
    }
    best.map(|(_, truth, found)| (truth, found)).expect("five runs")
}

/// The part of `truth` by which nanoseconds differ from seconds.
fn part(ns: u64, truth: f64) -> f64 {
    (ns as f64 * 1e-9 - truth).abs() / truth
}

#[test]
fn figures_are_what_the_program_measures() {
    for compiler in [Compiler::Clang, Compiler::Gcc] {
        for scratch in Scratch::each(&format!("balance-{compiler:?}")) {
            let program = compile(&scratch, "balance", compiler, &[]);
            let (truth, found) = best(&scratch, &program, 0.05, |truth, found| {
                let region = found.regions.iter().max_by_key(|site| site.instances);
                region.map_or(9.0, |region| {
                    part(region.imbalance, truth["imbalance"]).max(part(region.work, truth["work"]))
                })
            });
            assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true));
            assert_eq!(found.regions.len(), 2);
            let region =
                found.regions.iter().max_by_key(|site| site.instances).expect("the region");
            assert_eq!((region.instances, region.team_size_sum, region.level), (10, 20, 1));
            let seconds = |ns: u64| ns as f64 * 1e-9;
            close(seconds(region.imbalance), truth["imbalance"], 0.05, "imbalance");
            close(seconds(region.gain), truth["imbalance"] / 2.0, 0.05, "gain");
            close(seconds(region.work), truth["work"], 0.05, "work");
            let bounds = truth["longest"] * 0.99..truth["elapsed"] * 1.01;
            assert!(bounds.contains(&seconds(region.elapsed)), "{region:?} {truth:?}");
            let waited = region.barrier_wait + region.mutex_wait + region.task_wait;
            let sum = region.work + waited + region.overhead;
            close(sum as f64, 2.0 * region.elapsed as f64, 0.02, "work and wait");
            let initial = found.initial();
            // What the process did before main is serial work too.
            assert!(seconds(initial.serial_work) >= truth["serial"] * 0.99, "{initial:?}");
            assert_eq!(found.threads.len(), 2);
            found.threads.values().for_each(classes_add_up);
            // Weights stand for the periods of the whole run.
            for total in found.threads.values() {
                let weights: u64 = found
                    .samples
                    .iter()
                    .filter(|sample| sample.thread == total.thread)
                    .map(|sample| u64::from(sample.weight))
                    .sum();
                close(weights as f64, total.alive as f64 * 1e-6, 0.1, "samples' weights");
            }
        }
    }
}

#[test]
fn contention_is_seen_where_it_is() {
    for scratch in Scratch::each("critical") {
        let program = compile(&scratch, "critical", Compiler::Clang, &[]);
        let (truth, found) = best(&scratch, &program, 0.05, |truth, found| {
            let hot = found.mutexes.iter().max_by_key(|site| site.wait);
            hot.map_or(9.0, |hot| part(hot.wait, truth["wait"]).max(part(hot.hold, truth["held"])))
        });
        let of =
            |kind: i32| found.mutexes.iter().filter(move |site| site.mutex_kind == kind as u32);
        let hot: Vec<_> = of(MutexKind::Critical.number()).collect();
        assert_eq!(hot.len(), 1, "{:?}", found.mutexes);
        assert_eq!(hot[0].acquisitions, 100);
        // How many others wait depends on who gets it next, which is the runtime's to choose.
        assert!((1..=100).contains(&hot[0].contended), "{:?}", hot[0]);
        close(hot[0].wait as f64 * 1e-9, truth["wait"], 0.05, "wait");
        close(hot[0].hold as f64 * 1e-9, truth["held"], 0.05, "hold");
        let waited: u64 = found.threads.values().map(|total| total.mutex_wait).sum();
        close(waited as f64 * 1e-9, truth["wait"], 0.05, "waits of the threads");
        assert_eq!(of(MutexKind::Lock.number()).map(|site| site.acquisitions).sum::<u64>(), 100);
        assert_eq!(
            of(MutexKind::NestLock.number()).map(|site| site.acquisitions).sum::<u64>(),
            100
        );
        found.threads.values().for_each(classes_add_up);
        let waiting = found.samples.iter().filter(|sample| sample.wait_id == hot[0].wait_id);
        assert!(waiting.count() > 0, "samples name the mutex");
    }
}

#[test]
fn tasks_and_nested_regions_are_counted_exactly() {
    for scratch in Scratch::each("tasks") {
        let program = compile(&scratch, "tasks", Compiler::Clang, &[]);
        let (truth, found) = best(&scratch, &program, 0.05, |truth, found| {
            let site = found.tasks.iter().max_by_key(|site| site.created);
            site.map_or(9.0, |site| part(site.work, truth["tasks"]))
        });
        let mut tasks = found.tasks.clone();
        tasks.sort_by_key(|site| site.created);
        let counts: Vec<_> = tasks.iter().map(|site| (site.created, site.executed)).collect();
        assert_eq!(counts, [(1, 1), (40, 40)]);
        close(tasks[1].work as f64 * 1e-9, truth["tasks"], 0.05, "work in tasks");
        assert!(tasks[1].shortest >= 900_000 && tasks[1].longest >= tasks[1].shortest);
        let mut regions: Vec<_> = found
            .regions
            .iter()
            .map(|site| (site.level, site.instances, site.team_size_sum))
            .collect();
        regions.sort();
        assert_eq!(regions, [(1, 1, 2), (1, 5, 10), (1, 7, 7), (2, 10, 20)]);
        let inner = found.regions.iter().find(|site| site.level == 2).expect("the nested region");
        assert!(found.regions.iter().any(|site| site.codeptr_ra == inner.parent_codeptr));
        let with_tasks = found.regions.iter().find(|site| site.tasks_created > 0).expect("tasks");
        assert_eq!((with_tasks.tasks_created, with_tasks.tasks_executed), (41, 41));
        for region in &found.regions {
            let waited = region.barrier_wait + region.mutex_wait + region.task_wait;
            let sum = (region.work + waited + region.overhead) as f64;
            let teams = region.team_size_sum as f64 / region.instances as f64;
            close(sum, teams * region.elapsed as f64, 0.02, "work and wait");
        }
        found.threads.values().for_each(classes_add_up);
        assert!(found.samples.iter().any(|sample| sample.task_codeptr == tasks[1].codeptr_ra));
    }
}

/// With a tick a millisecond, a thread may time one event in about four microseconds: most are only
/// counted, and at the other rates it depends on how long the machine lets the program take.
#[test]
fn what_is_too_much_to_time_is_counted() {
    for compiler in [Compiler::Clang, Compiler::Gcc] {
        for scratch in Scratch::each(&format!("swarm-{compiler:?}")) {
            let program = compile(&scratch, "swarm", compiler, &[]);
            for hz in ["20", "1000", "5000"] {
                let record = scratch.path(&format!("record-{hz}"));
                let mut command = profiled(&scratch, &program, &record);
                let truth = figures(&run(command.env("OMPHALOS_PROFILE_HZ", hz)));
                let found = read(&record);
                assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true));
                for site in &found.tasks {
                    assert_eq!(site.created, site.executed, "{site:?}");
                }
                let created: u64 = found.tasks.iter().map(|site| site.created).sum();
                let expected = truth["left"] + truth["right"] + truth["loose"];
                assert_eq!(created, expected as u64, "{:?}", found.tasks);
                for region in &found.regions {
                    assert_eq!(region.tasks_created, region.tasks_executed, "{region:?}");
                }
                let of_regions: u64 = found.regions.iter().map(|site| site.tasks_created).sum();
                assert_eq!(of_regions, created);
                let acquired: u64 = found.mutexes.iter().map(|site| site.acquisitions).sum();
                assert!(acquired >= truth["taken"] as u64, "{:?}", found.mutexes);
                found.threads.values().for_each(classes_add_up);
                let worked: u64 =
                    found.threads.values().map(|total| total.work + total.serial_work).sum();
                let in_tasks: u64 = found.tasks.iter().map(|site| site.work).sum();
                assert!(in_tasks <= worked + 1000, "{in_tasks} of {worked}");
                if hz == "1000" {
                    let untimed: u64 =
                        found.thread_sampling.values().map(|sampling| sampling.untimed).sum();
                    assert!(untimed > 0);
                    for (codeptr_ra, sampling) in &found.task_sampling {
                        let site = found.tasks.iter().find(|site| site.codeptr_ra == *codeptr_ra);
                        assert!(sampling.seen < site.expect("a total beside it").executed);
                    }
                    assert!(!found.task_sampling.is_empty());
                }
            }
        }
    }
}

/// Whoever counts, the agent or the runtime: tasks are counted once, and those that another thread
/// executes are known.
#[test]
fn stolen_tasks_are_counted_exactly() {
    for compiler in [Compiler::Clang, Compiler::Gcc] {
        for scratch in Scratch::each(&format!("stolen-{compiler:?}")) {
            let program = compile(&scratch, "stolen", compiler, &[]);
            let record = scratch.path("record");
            let truth = figures(&run(&mut profiled(&scratch, &program, &record)));
            let found = read(&record);
            let of = |figure: fn(&TaskSiteTotal) -> u64| found.tasks.iter().map(figure).sum();
            let sums: [u64; 3] =
                [of(|site| site.created), of(|site| site.executed), of(|site| site.stolen)];
            let [executed, stolen] = [truth["executed"] as u64, truth["stolen"] as u64];
            assert_eq!(sums, [executed, executed, stolen], "{:?}", found.tasks);
            assert_eq!(found.tasks.len(), 2);
            let of_regions: u64 = found.regions.iter().map(|site| site.tasks_created).sum();
            assert_eq!(of_regions, executed);
        }
    }
}

#[test]
fn stacks_reach_from_the_leaf_to_the_thread() {
    for compiler in [Compiler::Clang, Compiler::Gcc] {
        for scratch in Scratch::each(&format!("deep-{compiler:?}")) {
            let program = compile(&scratch, "deep", compiler, &[]);
            let record = scratch.path("record");
            run(&mut profiled(&scratch, &program, &record));
            let found = read(&record);
            let functions = Functions::of(&program);
            let base = found.base("/deep");
            let worker = |sample: &&omphalos_profile_format::Sample| sample.thread == 1;
            let (mut complete, mut seen) = (0, 0);
            let mut broken = Vec::new();
            for sample in found.samples.iter().filter(worker) {
                let names = functions.along(&found, base, sample);
                if names.first().is_none_or(|name| *name != "leaf") {
                    continue;
                }
                seen += 1;
                let expected = ["leaf", "aligned", "recurse", "compare", "sorting"];
                let mut rest = names.iter();
                let in_order = expected.iter().all(|name| rest.any(|found| found == name));
                // The compiler may unroll one.
                let recursions = names.iter().filter(|name| **name == "recurse").count();
                let outlined = names
                    .last()
                    .is_some_and(|name| name.contains("omp_outlined") || name.contains("_omp_fn"));
                if in_order && recursions >= 5 && outlined {
                    complete += 1;
                } else {
                    broken = names;
                }
            }
            assert!(seen > 20, "{compiler:?}: {seen} samples in the leaf");
            assert!(
                complete * 100 >= seen * 99,
                "{compiler:?}: {complete} of {seen} complete; one: {broken:?}"
            );
            // The encountering thread's stack at the fork leads from the runtime to main.
            let fork = found.forks.first().expect("a fork");
            let frames = &found.stacks[&(fork.thread, fork.stack)];
            let names: Vec<_> =
                frames.iter().filter_map(|pc| functions.at(pc.wrapping_sub(base + 1))).collect();
            assert!(names.contains(&"main"), "{names:?}");
            assert_eq!(functions.at(fork.codeptr_ra - base - 1), Some("main"));
        }
    }
}

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
            close(weight as f64 * 1e6, time as f64, 0.1, call);
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

/// Threads that will never wake are seen where they sleep, and what has not ended counts.
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
        // SAFETY: a plain system call; the process is the child or its own, which nobody waited for.
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

/// A library's path is told whole, and the kernel's own code is part of the function that calls it.
#[test]
fn every_address_has_a_file() {
    for scratch in Scratch::each("relative") {
        let library = compile(&scratch, "library", Compiler::Clang, &["-shared", "-fPIC"]);
        let program = compile(&scratch, "churn", Compiler::Clang, &["-ldl"]);
        let name = library.file_name().expect("a name").to_string_lossy().into_owned();
        let record = scratch.path("record");
        let mut command = profiled(&scratch, &program, &record);
        run(command.current_dir(&scratch.folder).arg(format!("./{name}")));
        let found = read(&record);
        for module in &found.modules {
            let is_kernels = module.path.starts_with("linux-vdso");
            assert!(module.path.starts_with('/') || is_kernels, "{}", module.path);
        }
        let kernels = found.modules.iter().find(|module| module.path.starts_with("linux-vdso"));
        if let Some(kernels) = kernels {
            let inside = |pc: &u64| (kernels.base..kernels.end).contains(pc);
            assert!(!found.stacks.values().any(|frames| frames.iter().any(inside)));
        }
    }
}

/// Where regions come fast, those have a record in which somebody was sampled, and few others.
#[test]
fn fast_regions_make_a_small_file() {
    for scratch in Scratch::each("fast") {
        let program = compile(&scratch, "fast", Compiler::Gcc, &["-O1"]);
        let record = scratch.path("record");
        let entered = figures(&run(&mut profiled(&scratch, &program, &record)))["entered"];
        let found = read(&record);
        assert_eq!(found.regions.iter().map(|site| site.instances).sum::<u64>(), entered as u64);
        let known: std::collections::HashSet<_> =
            found.forks.iter().map(|fork| fork.region).collect();
        assert_eq!(known.len(), found.forks.len());
        let in_regions: Vec<_> = found.samples.iter().filter(|sample| sample.region != 0).collect();
        let named = in_regions.iter().filter(|sample| known.contains(&sample.region)).count();
        // A worker's wait at the end may get its sample when the region is over: LLVM's runtime tells it late.
        assert!(named * 2 >= in_regions.len(), "{named} of {}", in_regions.len());
        let seconds = found.initial().alive as usize / 100_000_000 + 1;
        assert!(found.forks.len() <= in_regions.len() + 2 + seconds, "{}", found.forks.len());
    }
}

#[test]
fn threads_and_objects_may_come_and_go() {
    for scratch in Scratch::each("churn") {
        let library = compile(&scratch, "library", Compiler::Clang, &["-shared", "-fPIC"]);
        let program = compile(&scratch, "churn", Compiler::Clang, &["-ldl"]);
        let record = scratch.path("record");
        let mut command = profiled(&scratch, &program, &record);
        command.arg(&library).env("OMPHALOS_PROFILE_HZ", "5000");
        assert_eq!(run(&mut command), "ok\n");
        let found = read(&record);
        assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true));
        let functions = Functions::of(&program);
        let base = found.base("/churn");
        let of_workers = found
            .regions
            .iter()
            .filter(|site| functions.at(site.codeptr_ra.wrapping_sub(base + 1)) == Some("worker"));
        assert_eq!(of_workers.map(|site| site.instances).sum::<u64>(), 240);
        found.threads.values().for_each(classes_add_up);
        // The caller of the kernel without information is found.
        let in_kernel: Vec<_> = found
            .samples
            .iter()
            .map(|sample| functions.along(&found, base, sample))
            .filter(|names| names.first() == Some(&"kernel"))
            .collect();
        assert!(!in_kernel.is_empty());
        let expected = ["kernel", "calls_kernel", "main"];
        let (crossed, lost): (Vec<_>, Vec<_>) =
            in_kernel.iter().partition(|names| names.starts_with(&expected));
        assert!(crossed.len() * 100 >= in_kernel.len() * 98, "{} and {lost:?}", crossed.len());
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

/// Whoever compiled it: each construct has its counts, and a single its time.
#[test]
fn constructs_are_counted_by_place() {
    const DYNAMIC: u32 = construct_kind::WORK | 11;
    const SECTIONS: u32 = construct_kind::WORK | 2;
    const SINGLE: u32 = construct_kind::WORK | 3;
    for compiler in [Compiler::Clang, Compiler::Gcc] {
        for scratch in Scratch::each(&format!("constructs-{compiler:?}")) {
            let program = compile(&scratch, "constructs", compiler, &[]);
            let record = scratch.path("record");
            let truth = figures(&run(&mut profiled(&scratch, &program, &record)));
            let found = read(&record);
            assert_eq!((found.damage, found.bad_records, found.ended), (0, 0, true));
            let all: Vec<_> = found.constructs.values().collect();
            let of = |kind: u32| all.iter().filter(move |total| total.construct_kind == kind);
            let sums = |kind, figure: fn(&ConstructTotal) -> u64| -> u64 {
                of(kind).map(|total| figure(total)).sum()
            };
            // LLVM's runtime takes a loop with ordered for another kind, and gcc's for its own.
            let loops = of(DYNAMIC).max_by_key(|total| total.iterations).expect("the loop");
            let counts = (loops.instances, loops.entered, loops.iterations);
            assert_eq!(counts, (20, 60, 240), "{compiler:?} {all:?}");
            assert_eq!((sums(SINGLE, |t| t.instances), sums(SINGLE, |t| t.entered)), (20, 60));
            if scratch.own_runtime {
                assert_eq!((loops.chunks, loops.counted_iterations), (240, 240), "{all:?}");
                let sections = |figure| sums(SECTIONS, figure);
                assert_eq!((sections(|t| t.instances), sections(|t| t.chunks)), (20, 40));
                let single = of(SINGLE).next().expect("the single");
                let (is_open, time) = (single.open_time > 0, single.time + single.open_time);
                assert_eq!(is_open, compiler == Compiler::Gcc, "{single:?}");
                // Each of them is at least as long as the program says.
                assert!(time as f64 * 1e-9 >= truth["singles"] * 0.999, "{single:?} {truth:?}");
                let barriers: u64 = all
                    .iter()
                    .filter(|total| total.construct_kind == construct_kind::BARRIER | 3)
                    .map(|total| total.instances)
                    .sum();
                assert_eq!(barriers, 20, "{all:?}");
            }
        }
    }
}
