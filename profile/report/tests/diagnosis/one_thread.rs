//! Regions and runs of one thread. A finding names them, unless the user asked for one thread or
//! threads without OpenMP may have computed meanwhile.

use super::*;

/// Four regions of 15 % each: together they take more than a quarter of the run.
fn four_of_one_thread(recorder: &mut Recorder) {
    for number in 0..4 {
        let total = RegionSiteTotal {
            codeptr_ra: SITE + 16 * number,
            team_size_sum: 10,
            elapsed: (150 + number) * MS,
            ..region((150 + number) * MS, 0)
        };
        recorder.push(0, total);
    }
}

#[test]
fn short_regions_of_one_thread_are_one_finding() {
    let threads = [thread_total(0, 606 * MS, 0)];
    let analysis = run(&threads, 1000 * MS, four_of_one_thread);
    assert_eq!(diseases(&analysis), [(Disease::OneThread, "region at app+0x231".to_owned())]);
    let finding = &analysis.findings()[0];
    assert_eq!(finding.cost, 303 * MS);
    let evidence = "it and 3 other regions have one thread on 2 CPUs, for 606.0 ms of 1.00 s \
                    elapsed (61 %); the next are region at app+0x221, region at app+0x211";
    assert_eq!(finding.evidence, evidence);
}

/// A program that asks for one thread in each region: the time outside them is serial all the same.
#[test]
fn serial_time_beside_regions_of_one_thread_is_named() {
    let mut main = thread_total(0, 170 * MS, 0);
    (main.serial_work, main.alive) = (830 * MS, 1000 * MS);
    let short = |r: &mut Recorder| {
        for site in [SITE, SITE + 16] {
            let total =
                RegionSiteTotal { team_size_sum: 10, elapsed: 85 * MS, ..region(85 * MS, 0) };
            r.push(0, RegionSiteTotal { codeptr_ra: site, ..total });
        }
    };
    let analysis = run(&[main], 1000 * MS, short);
    assert_eq!(diseases(&analysis).len(), 1, "{:?}", diseases(&analysis));
    let finding = &analysis.findings()[0];
    assert_eq!((finding.disease, finding.cost), (Disease::SerialTime, 415 * MS));
    let evidence = &finding.evidence;
    assert!(evidence.contains("(83 %)"), "{evidence}");
    assert!(evidence.contains("the speedup stays below 1.3"), "{evidence}");
    assert!(
        evidence.contains("; its 2 regions have one thread on 2 CPUs, for 170.0 ms"),
        "{evidence}"
    );
    // Another thread of the program works for as long: no CPU is free.
    let mut other = ThreadTotal { thread: 1, ..main };
    (other.serial_work, other.work) = (1000 * MS, 0);
    assert_eq!(diseases(&run(&[main, other], 1000 * MS, short)), []);
}

/// One thread, because the user asked for it: the program does nothing wrong.
#[test]
fn one_thread_may_be_asked_for() {
    let mut main = thread_total(0, 600 * MS, 0);
    (main.serial_work, main.alive) = (400 * MS, 1000 * MS);
    let asked = |environment: &'static [u8]| {
        run(&[main], 1000 * MS, |r| {
            r.environment(environment);
            four_of_one_thread(r);
        })
    };
    for variable in [
        &b"OMP_NUM_THREADS=1\0"[..],
        b"OMP_NUM_THREADS= 1 ,4\0",
        b"OMP_DYNAMIC=true\0OMP_THREAD_LIMIT=1\0",
        b"KMP_ALL_THREADS=1\0",
    ] {
        assert_eq!(diseases(&asked(variable)), [], "{}", variable.escape_ascii());
    }
    assert_eq!(diseases(&asked(b"OMP_NUM_THREADS=10,1\0")).len(), 2);
}

/// Threads without OpenMP computed about as long as the program was outside regions, but perhaps
/// not at the same time.
#[test]
fn serial_time_may_have_company() {
    let mut main = thread_total(0, 400 * MS, 0);
    (main.serial_work, main.alive) = (600 * MS, 1000 * MS);
    let with_others = |computed: u64| {
        run(&[main, thread_total(1, 400 * MS, 0)], 1000 * MS, |r| {
            r.push(0, RegionSiteTotal { elapsed: 400 * MS, ..region(800 * MS, 0) });
            r.push(0, scheduling(0, 1000 * MS, 0));
            r.push(1, scheduling(1, 400 * MS, 0));
            r.push(0, ProcessTime { running: 1400 * MS + computed });
        })
    };
    let place = "outside parallel regions".to_owned();
    assert_eq!(diseases(&with_others(300 * MS)), [(Disease::SerialTime, place)]);
    let analysis = with_others(500 * MS);
    assert_eq!(diseases(&analysis), []);
    let doubt = "600.0 ms of 1.00 s elapsed are outside parallel regions, but threads of the \
                 program that use no OpenMP compute 499.0 ms, which may be meanwhile";
    assert_eq!(analysis.doubts(), [doubt]);
}

/// A thread of the program without OpenMP computes all the time beside a team of two.
#[test]
fn a_team_may_lack_the_cpu_of_a_thread_without_openmp() {
    let found = |computed: u64, others: u64| {
        run(&[0, 1].map(|at| thread_total(at, 500 * MS, 400 * MS)), 1000 * MS, |r| {
            r.push(PROCESS_CHUNK, Machine { processor: b"A", cpus: 2, elapsed: 1000 * MS, others });
            r.push(0, region(1000 * MS, 800 * MS));
            r.push(0, queued_region(100 * MS));
            r.push(0, scheduling(0, 500 * MS, 500 * MS));
            r.push(1, scheduling(1, 500 * MS, 500 * MS));
            r.push(0, ProcessTime { running: 1000 * MS + computed });
        })
    };
    let note = |analysis: &Analysis| {
        let report = text::render(analysis, &text::TextOptions::default());
        report.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let by_own = found(900 * MS, 20 * MS);
    let place = "region at app+0x201".to_owned();
    assert_eq!(diseases(&by_own)[0], (Disease::Oversubscription, place));
    let said = &by_own.findings()[0].evidence;
    assert!(said.contains("use no OpenMP compute for 899.0 ms"), "{said}");
    let report = note(&by_own);
    assert!(report.contains("threads of the program itself that use no OpenMP"), "{report}");
    // Where other programs took more, they may be the cause.
    let by_others = found(300 * MS, 900 * MS);
    let is_own = |found: &omphalos_report::Finding| found.disease == Disease::Oversubscription;
    assert!(!by_others.findings().iter().any(is_own));
    let report = note(&by_others);
    assert!(report.contains("other processes were running"), "{report}");
    // Where nobody else took any, its threads lacked them because of each other.
    let report = note(&found(0, 0));
    assert!(report.contains("its own threads took turns on the CPUs"), "{report}");
}

#[test]
fn a_region_of_one_thread_may_have_company_without_openmp() {
    let total = RegionSiteTotal { team_size_sum: 10, elapsed: 900 * MS, ..region(900 * MS, 0) };
    let analysis = run(&[thread_total(0, 1000 * MS, 0)], 1000 * MS, |r| {
        r.push(0, total);
        r.push(0, scheduling(0, 1000 * MS, 0));
        r.push(0, ProcessTime { running: 1800 * MS });
    });
    assert_eq!(diseases(&analysis), []);
}

/// In a barrier such a thread waits for nobody: it has no CPU, or the runtime works there.
#[test]
fn a_team_of_one_waits_for_nobody() {
    let found = |threads: u64| {
        run(&[thread_total(0, 300 * MS, 700 * MS)], 1000 * MS, |r| {
            let total = region(300 * MS, 700 * MS);
            r.push(0, RegionSiteTotal { team_size_sum: 10 * threads, ..total });
            r.push(0, queued_region(100 * MS));
            r.push(0, ThreadQueued { thread: 0, work: 100 * MS, serial: 0 });
            r.push(0, scheduling(0, 220 * MS, 780 * MS));
        })
    };
    let (alone, together) = (found(1), found(2));
    let (thread, row) = (&alone.threads()[0], &alone.regions()[0]);
    assert_eq!([thread.work, thread.without_cpu, thread.barrier_wait], [200, 780, 20].map(ms));
    assert_eq!([row.work, row.without_cpu, row.barrier_wait], [200, 780, 20].map(ms));
    let (thread, row) = (&together.threads()[0], &together.regions()[0]);
    assert_eq!([thread.without_cpu, thread.barrier_wait], [100, 700].map(ms));
    assert_eq!([row.without_cpu, row.barrier_wait], [100, 700].map(ms));
}

fn ms(count: u64) -> u64 {
    count * MS
}
