//! Tests the agent on LLVM's runtime, through its real surface: programs run with it, and their
//! records are read.

mod support;

use omphalos_ompt::MutexKind;
use omphalos_profile_format::{ConstructTotal, TaskSiteTotal, construct_kind};
use support::*;

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
            // The work of the process before main is serial work too.
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
            let whole = teams * region.elapsed as f64;
            // A thread that was made for a region has none of the time before it lived.
            assert!((0.5 * whole..=1.02 * whole).contains(&sum), "{sum} of {whole}: {region:?}");
        }
        found.threads.values().for_each(classes_add_up);
        assert!(found.samples.iter().any(|sample| sample.task_codeptr == tasks[1].codeptr_ra));
    }
}

/// With one tick in a millisecond, a thread may time one event in about four microseconds: most are
/// only counted, and at the other rates it depends on how long the machine lets the program take.
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

/// Whether the agent or the runtime counts, tasks are counted once, and those that another thread
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

/// Whichever compiler made the program: each construct has its counts, and a single its time.
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
            // Each execution of a loop has another mutex in the runtime; the place is one.
            let ordered = MutexKind::Ordered.number() as u32;
            let turns: Vec<u64> = (found.mutexes.iter())
                .filter(|site| site.mutex_kind == ordered)
                .map(|site| site.acquisitions)
                .collect();
            assert_eq!(turns, [60], "{:?}", found.mutexes);
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
