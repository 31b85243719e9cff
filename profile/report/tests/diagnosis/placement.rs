//! Threads that are placed badly, on machines that no test runs on: their records are played back.

use omphalos_report::text::TextOptions;
use omphalos_report::{json, text};

use super::*;

/// Four cores with two hyper-threads, two packages and nodes; the cores of the second package are
/// slow where `slow` says so.
fn cpus(r: &mut Recorder, slow: u32) {
    for cpu in 0..8 {
        let (core, package) = (cpu % 4, cpu % 4 / 2);
        let capacity = if package == 0 { 1024 } else { slow };
        let record = MachineCpu { cpu, core, package, node: package, capacity, frequency: 0 };
        r.push(PROCESS_CHUNK, record);
    }
}

fn mask(cpus: &[u32]) -> Vec<u8> {
    let byte = cpus.iter().fold(0u8, |byte, cpu| byte | 1 << cpu);
    vec![byte]
}

/// A process that may use these of eight CPUs.
fn process(r: &mut Recorder, allowed: &[u32], cpuset: &str, launcher: &[u8]) {
    let launcher = ByteStrings::NulSeparated(launcher);
    let (cpus, cpuset) = (&mask(allowed)[..], cpuset.as_bytes());
    r.push(PROCESS_CHUNK, ProcessAffinity { cpus, online: b"0-7", cpuset, launcher });
}

/// Other programs use this part of the machine, percent.
fn others(r: &mut Recorder, percent: u64) {
    let others = 8 * 1000 * MS * percent / 100;
    r.push(PROCESS_CHUNK, Machine { processor: b"A", cpus: 8, elapsed: 1000 * MS, others });
}

/// A thread that may use some CPUs, and ran on one.
fn thread(r: &mut Recorder, thread: u32, allowed: &[u32], ran: u32) {
    r.push(thread, ThreadCpu { thread, cpu: ran, running: 500 * MS });
    r.push(thread, ThreadAffinity { thread, migrations: 0, cpus: &mask(allowed) });
}

const ALL: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Two threads that have a CPU for half of the time.
fn crowded(places: [(&[u32], u32); 2], more: impl FnOnce(&mut Recorder)) -> Analysis {
    run(&balanced(), 1000 * MS, |r| {
        r.push(0, region(1980 * MS, 20 * MS));
        r.push(0, queued_region(990 * MS));
        for (index, (allowed, ran)) in (0..).zip(places) {
            r.push(index, ThreadQueued { thread: index, work: 495 * MS, serial: 0 });
            r.push(index, scheduling(index, 500 * MS, 495 * MS));
            thread(r, index, allowed, ran);
        }
        more(r);
    })
}

fn first(analysis: &Analysis) -> (Disease, String) {
    let found = &analysis.findings()[0];
    (found.disease, format!("{}: {}", found.evidence, found.advice))
}

#[test]
fn places_that_bind_all_to_one_cpu_are_named() {
    let places: [(&[u32], u32); 2] = [(&[3], 3), (&[3], 3)];
    let analysis = crowded(places, |r| {
        r.environment(b"OMP_PLACES={3}\0OMP_NUM_THREADS=2\0");
        process(r, &ALL, "", b"");
        others(r, 10);
    });
    assert_eq!(diseases(&analysis), [(Disease::Placement, "region at app+0x201".to_owned())]);
    let (_, said) = first(&analysis);
    let evidence = "both threads share CPU 3 while CPUs 0-2,4-7 are left out: OMP_PLACES={3} \
                    binds them there; 50 % of their work (990.0 ms) they had no CPU: set ";
    assert!(said.starts_with(evidence), "{said}");
    assert!((490 * MS..=510 * MS).contains(&analysis.findings()[0].cost));
}

#[test]
fn who_started_the_process_is_named() {
    let held = |cpuset: &str, launcher: &[u8]| {
        let places: [(&[u32], u32); 2] = [(&[0], 0), (&[0], 0)];
        let analysis = crowded(places, |r| process(r, &[0], cpuset, launcher));
        let (disease, said) = first(&analysis);
        assert_eq!(disease, Disease::Placement);
        said
    };
    let taskset = held("0-7", b"");
    assert!(taskset.contains("the process was started so (taskset"), "{taskset}");
    let srun = held("0-7", b"SLURM_CPU_BIND=quiet,mask_cpu:0x1\0");
    assert!(srun.contains("srun started the process so (SLURM_CPU_BIND=quiet"), "{srun}");
    assert!(srun.contains("--cpus-per-task=N"), "{srun}");
    let open = held("", b"OMPI_MCA_hwloc_base_binding_policy=core\0");
    assert!(open.contains("mpirun bound the process so") && open.contains("PE=N"), "{open}");
    let hydra = held("", b"HYDRA_USER_PROVIDED_BINDING=1\0");
    assert!(hydra.contains("mpiexec bound the process so"), "{hydra}");
    let set = held("0", b"");
    assert!(set.contains("control group may use no others"), "{set}");
}

#[test]
fn a_program_that_binds_itself_is_named() {
    let places: [(&[u32], u32); 2] = [(&[2], 2), (&[2], 2)];
    let analysis = crowded(places, |r| process(r, &ALL, "", b""));
    let (_, said) = first(&analysis);
    assert!(said.contains("the program, or a library that it uses, binds them"), "{said}");
    // Here it is not known whether the others were idle.
    assert!(said.starts_with("both threads share CPU 2 of the machine's CPUs 0-7: "), "{said}");
}

/// On CPUs that the system keeps apart, threads stay where they began.
#[test]
fn threads_that_the_system_does_not_move_are_named() {
    let places: [(&[u32], u32); 2] = [(&ALL, 1), (&ALL, 1)];
    let found = |percent| {
        crowded(places, |r| {
            process(r, &ALL, "", b"");
            others(r, percent);
        })
    };
    let (disease, said) = first(&found(0));
    assert_eq!(disease, Disease::Placement);
    assert!(said.contains("share CPU 1") && said.contains("isolcpus"), "{said}");
    // Where other programs have the CPUs, they may be the cause.
    assert!(found(90).findings().iter().all(|f| f.disease != Disease::Placement));
}

/// A process of one CPU makes teams of one thread.
#[test]
fn one_cpu_of_an_idle_machine_is_named() {
    let found = |percent: u64, environment: &'static [u8]| {
        run(&[thread_total(0, 1000 * MS, 0)], 1000 * MS, |r| {
            r.environment(environment);
            r.push(
                0,
                RegionSiteTotal { team_size_sum: 10, elapsed: 900 * MS, ..region(900 * MS, 0) },
            );
            r.push(0, Processors { usable: 1 });
            process(r, &[4], "0-7", b"");
            thread(r, 0, &[4], 4);
            others(r, percent);
        })
    };
    let (disease, said) = first(&found(5, b"OMP_PLACES=cores\0"));
    assert_eq!(disease, Disease::Placement);
    assert!(said.contains("may use CPU 4 alone") && said.contains("taskset"), "{said}");
    let placed = |analysis: Analysis| {
        analysis.findings().iter().any(|finding| finding.disease == Disease::Placement)
    };
    assert!(!placed(found(80, b"OMP_PLACES=cores\0")));
    assert!(!placed(found(5, b"OMP_NUM_THREADS=1\0")));
}

fn on_cores(places: [(&[u32], u32); 2], percent: u64, slow: u32) -> Analysis {
    run(&balanced(), 1000 * MS, |r| {
        r.push(0, region(1980 * MS, 20 * MS));
        process(r, &ALL, "", b"");
        cpus(r, slow);
        others(r, percent);
        for (index, (allowed, ran)) in (0..).zip(places) {
            thread(r, index, allowed, ran);
        }
    })
}

#[test]
fn two_threads_on_the_hyper_threads_of_a_core_are_named() {
    let places: [(&[u32], u32); 2] = [(&[0], 0), (&[4], 4)];
    let (disease, said) = first(&on_cores(places, 2, 1024));
    assert_eq!(disease, Disease::Placement);
    let evidence = "2 of 2 busy threads run in twos on the hyper-threads of 1 core (CPUs 0,4), \
                    while 3 cores of 4 are left out";
    assert!(said.starts_with(evidence), "{said}");
    let busy = on_cores(places, 60, 1024);
    assert!(busy.findings().is_empty(), "{:?}", busy.findings());
    assert!(busy.doubts()[0].contains("record again on an idle machine"), "{:?}", busy.doubts());
}

#[test]
fn threads_with_a_core_each_are_well_placed() {
    for places in [[(&[0][..], 0), (&[1][..], 1)], [(&ALL[..], 0), (&ALL[..], 5)]] {
        let analysis = on_cores(places, 0, 1024);
        assert_eq!(diseases(&analysis), []);
        assert!(analysis.doubts().is_empty(), "{:?}", analysis.doubts());
    }
}

/// Equal shares on unequal cores.
#[test]
fn slow_cores_are_named_in_place_of_imbalance() {
    let threads = [thread_total(0, 500 * MS, 500 * MS), thread_total(1, 1000 * MS, 0)];
    let total =
        RegionSiteTotal { imbalance: 500 * MS, gain: 250 * MS, ..region(1500 * MS, 500 * MS) };
    let found = |slow| {
        run(&threads, 1000 * MS, |r| {
            r.push(0, total);
            process(r, &ALL, "", b"");
            cpus(r, slow);
            thread(r, 0, &ALL, 0);
            thread(r, 1, &ALL, 3);
        })
    };
    let (disease, said) = first(&found(512));
    assert_eq!(disease, Disease::SlowCores);
    let evidence = "1 thread on slow cores (CPU 3) works 1.00 s, 100 % longer than 1 on fast ones";
    assert!(said.starts_with(evidence) && said.contains("schedule(dynamic)"), "{said}");
    assert_eq!(first(&found(1020)).0, Disease::Imbalance);
}

#[test]
fn a_control_group_that_stops_the_threads_is_named() {
    let at = |periods, throttled_periods, throttled| ControlGroup {
        path: b"/kubepods/pod1",
        quota: 50_000,
        period: 100_000,
        periods,
        throttled_periods,
        throttled,
    };
    let places: [(&[u32], u32); 2] = [(&ALL, 0), (&ALL, 1)];
    let found = |last| {
        crowded(places, |r| {
            process(r, &ALL, "", b"");
            r.push(PROCESS_CHUNK, Processors { usable: 1 });
            r.push(PROCESS_CHUNK, at(100, 50, 0));
            r.push(PROCESS_CHUNK, last);
        })
    };
    let analysis = found(at(110, 59, 900 * MS));
    let group = "the control group /kubepods/pod1".to_owned();
    assert_eq!(diseases(&analysis), [(Disease::Throttled, group)]);
    let (_, said) = first(&analysis);
    let evidence = "it grants 0.50 CPUs (50.0 ms each 100.0 ms), and 2 threads work: in 9 of 10 \
                    periods (90 %) it stopped them, for 900.0 ms in all (summed over CPUs)";
    assert!(said.starts_with(evidence) && said.contains("resources.limits.cpu"), "{said}");
    let head = text::render(&analysis, &TextOptions::default());
    assert!(head.contains("the control group stopped them"), "{head}");
    // A limit that never stopped them is no cause.
    let calm = found(at(110, 50, 0));
    assert!(calm.findings().iter().all(|f| f.disease != Disease::Throttled));
}

#[test]
fn where_threads_ran_is_shown_where_it_says_something() {
    let bound = on_cores([(&[0], 0), (&[1], 1)], 0, 1024);
    let page = text::render(&bound, &TextOptions::default());
    let head = "2 threads, each bound to one of CPUs 0-1 of 0-7; all on NUMA node 0, one of 2";
    assert!(page.split_whitespace().collect::<Vec<_>>().join(" ").contains(head), "{page}");
    assert!(page.contains("Where threads ran"), "{page}");
    let value = json::to_value(&bound);
    assert_eq!(value["placement"]["online_cpus"], "0-7");
    assert_eq!(value["placement"]["cpus"].as_array().unwrap().len(), 8);
    assert_eq!(value["threads"][1]["place"]["ran_on"][0]["cpu"], 1);
    let free = text::render(&on_cores([(&ALL, 0), (&ALL, 3)], 0, 1024), &TextOptions::default());
    assert!(!free.contains("Where threads ran") && !free.contains("\n  placed "), "{free}");
}
