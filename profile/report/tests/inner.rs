//! Constructs inside regions: the same rows, with the directives' lines, for every compiler.

mod support;

use std::collections::BTreeSet;

use omphalos_profile_format::construct_kind::{BARRIER, MASKED, REDUCTION, WORK};
use omphalos_profile_format::{MutexSiteTotal, RegionSiteTotal, module_flag};
use support::{Recorder, all_calls, build, construct_total, region_total};

const BASE: u64 = 0x5555_5555_0000;
const RUNTIME: u64 = 0x7f00_0000_0000;

const SOURCE: &str = r#"
static volatile double s;
static void part(int x)
{
    if (x) {
        #pragma omp barrier
        s += 1;
    } else {
        s += 2;
        #pragma omp barrier
    }
}
int main(int argc, char **argv)
{
    double sum = 0;
    #pragma omp parallel
    {
        #pragma omp for schedule(static)
        for (int i = 0; i < 10; i++)
            s += i;
        #pragma omp for \
            schedule(dynamic, 2)
        for (int i = 0; i < 10; i++)
            s += i;
        #pragma omp for schedule(dynamic, 3) nowait
        for (int i = 0; i < 10; i++)
            s += i;
        #pragma omp single
        s += 3;
        #pragma omp sections
        {
            #pragma omp section
            s += 4;
            #pragma omp section
            s += 5;
        }
        #pragma omp single nowait
        s += 6;
        part(argc);
        #pragma omp master
        s += 7;
        #pragma omp barrier
        s += 8;
    }
    #pragma omp parallel for reduction(+:sum)
    for (int i = 0; i < 10; i++)
        sum += i;
    return sum > s;
}
"#;

/// Returns name and line of each row, for a total of one instance for each call of the runtime.
fn rows(compiler: &str, level: &str) -> BTreeSet<(String, u32)> {
    let built = build(compiler, "test.c", SOURCE, &[level]);
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
    let regions = all_calls(&built, &["GOMP_parallel@plt", "__kmpc_fork_call@plt"]);
    assert_eq!(regions.len(), 2, "{compiler} {level}");
    for region in &regions {
        recorder.push(0, region_total(BASE + region, 1));
    }
    let kinds: [(u32, &[&str]); 7] = [
        (WORK | 11, &["GOMP_loop_nonmonotonic_dynamic_start@plt", "__kmpc_dispatch_init_4@plt"]),
        (WORK | 10, &["__kmpc_for_static_init_4@plt"]),
        (WORK | 3, &["GOMP_single_start@plt", "__kmpc_single@plt"]),
        (WORK | 2, &["GOMP_sections_start@plt"]),
        (MASKED, &["__kmpc_master@plt"]),
        (REDUCTION, &["__kmpc_reduce_nowait@plt"]),
        (BARRIER | 3, &["GOMP_barrier@plt", "__kmpc_barrier@plt"]),
    ];
    for (kind, callees) in kinds {
        for call in all_calls(&built, callees) {
            let total = construct_total(BASE + regions[0], BASE + call, kind, 1);
            recorder.push(0, total);
        }
    }
    let analysis = recorder.analyse();
    let all = analysis.regions().iter().flat_map(|region| &region.constructs);
    all.map(|row| (row.name.clone(), row.construct.line)).collect()
}

#[test]
fn rows_have_the_directives_lines() {
    let both = [
        ("barrier", 6),
        ("barrier", 10),
        ("for (static)", 18),
        ("for (dynamic)", 21),
        ("for (dynamic)", 25),
        ("single", 28),
        ("single", 37),
        ("master", 40),
        ("barrier", 42),
        ("for (static)", 45),
    ];
    for compiler in ["gcc", "clang-19"] {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let found = rows(compiler, level);
            for (name, line) in both {
                let row = (name.to_owned(), line);
                assert!(found.contains(&row), "{compiler} {level}: {row:?} in {found:?}");
            }
            // No row stands where the source has no construct.
            let lines = [6, 10, 16, 18, 21, 25, 28, 30, 37, 40, 42, 45];
            let strays: Vec<_> = found.iter().filter(|(_, line)| !lines.contains(line)).collect();
            assert!(strays.is_empty(), "{compiler} {level}: {strays:?}");
        }
    }
}

const ALONE: &str = r#"
static volatile double s;
int main(void)
{
    #pragma omp parallel
    {
        s += 0;
    }
    #pragma omp parallel
    {
        #pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 10; i++)
            s += i;
    }
    #pragma omp parallel
    {
        #pragma omp sections
        {
            #pragma omp section
            s += 4;
            #pragma omp section
            s += 5;
        }
    }
    return 0;
}
"#;

/// gcc makes one call of a region and of the one construct that it contains; the source has a
/// directive for each.
#[test]
fn what_a_region_contains_alone_has_its_own_line() {
    for level in ["-O0", "-O2"] {
        let built = build("gcc", "test.c", ALONE, &[level]);
        let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
        for (kind, callee) in [
            (WORK | 11, "GOMP_parallel_loop_nonmonotonic_dynamic@plt"),
            (WORK | 2, "GOMP_parallel_sections@plt"),
        ] {
            let call = BASE + all_calls(&built, &[callee])[0];
            let region = RegionSiteTotal { barrier_wait: 7, ..region_total(call, 1) };
            recorder.push(0, region);
            recorder.push(0, construct_total(call, call, kind, 1));
        }
        let analysis = recorder.analyse();
        let regions = analysis.regions().iter();
        let mut found: Vec<_> = regions
            .map(|region| {
                let [row] = &region.constructs[..] else { panic!("{:?}", region.constructs) };
                (region.construct.line, row.name.clone(), row.construct.line, row.wait)
            })
            .collect();
        found.sort();
        let loops = (9, "for (dynamic)".to_owned(), 11, Some(7));
        assert_eq!(found, [loops, (15, "sections".to_owned(), 17, Some(7))], "{level}");
    }
}

const ORDERED: &str = r#"
static volatile double s, t;
int main(void)
{
    #pragma omp parallel for ordered schedule(dynamic)
    for (int i = 0; i < 10; i++) {
        s += i;
        t = s;
        #pragma omp ordered
        s += i;
        t = s;
        #pragma omp critical(name)
        s += 2;
    }
    return 0;
}
"#;

#[test]
fn mutexes_of_directives_have_their_lines() {
    for (compiler, level) in [("gcc", "-O0"), ("gcc", "-O2"), ("clang-19", "-O2")] {
        let built = build(compiler, "test.c", ORDERED, &[level]);
        let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
        let ordered = ["GOMP_ordered_start@plt", "__kmpc_ordered@plt"];
        let critical = ["GOMP_critical_name_start@plt", "__kmpc_critical@plt"];
        for (mutex_kind, callees) in [(7, ordered), (5, critical)] {
            recorder.push(
                0,
                MutexSiteTotal {
                    wait_id: u64::from(mutex_kind),
                    mutex_kind,
                    codeptr_ra: BASE + all_calls(&built, &callees)[0],
                    acquisitions: 1,
                    contended: 1,
                    wait: 10,
                    longest_wait: 10,
                    hold: 10,
                },
            );
        }
        let analysis = recorder.analyse();
        let mut lines: Vec<_> =
            analysis.mutexes().iter().map(|row| (row.kind, row.sites[0].0.line)).collect();
        lines.sort();
        assert_eq!(lines, [("critical", 12), ("ordered", 9)], "{compiler} {level}");
    }
}

const LAST_BARRIER: &str = r#"
static volatile int done;
int main(void)
{
    #pragma omp parallel num_threads(2)
    {
        done++;
        #pragma omp barrier
    }
    return 0;
}
"#;

/// A body leaves for its last call by a jump, so that call returns into the runtime.
#[test]
fn a_barrier_that_a_body_jumps_to_has_its_line() {
    let built = build("gcc", "last.c", LAST_BARRIER, &["-O2"]);
    let runtime = (RUNTIME, 1 << 20, "/lib/libomphalos.so", module_flag::RUNTIME);
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0), runtime]);
    let region = BASE + built.calls("main", "GOMP_parallel@plt")[0];
    recorder.push(0, region_total(region, 4));
    recorder.push(0, construct_total(region, RUNTIME + 0x101, BARRIER | 3, 4));
    let analysis = recorder.analyse();
    let row = &analysis.regions()[0].constructs[0];
    assert_eq!((&*row.name, row.construct.line), ("barrier", 8));
}

const TWO_LOOPS: &str = r#"
void work(int);
int main(void)
{
    #pragma omp parallel num_threads(2)
    for (int r = 0; r < 40; r++) {
        #pragma omp for schedule(static, 1)
        for (int i = 0; i < 2; i++)
            work(3);
        #pragma omp for schedule(static, 1)
        for (int i = 0; i < 2; i++)
            work(i ? 5 : 1);
    }
    return 0;
}
void __attribute__((noinline)) work(int x) { __asm__ volatile("" : : "r"(x)); }
"#;

/// gcc -O2 has a copy of both barriers for threads that get no iteration, after those of the
/// others: each counts for its own loop.
#[test]
fn copies_of_barriers_belong_to_their_loops() {
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let built = build("gcc", "loops.c", TWO_LOOPS, &[level]);
        let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
        let region = BASE + built.calls("main", "GOMP_parallel@plt")[0];
        recorder.push(0, region_total(region, 1));
        let barriers = all_calls(&built, &["GOMP_barrier@plt"]);
        for (at, call) in barriers.iter().enumerate() {
            recorder.push(0, construct_total(region, BASE + call, BARRIER | 3, 1 << at));
        }
        let analysis = recorder.analyse();
        let rows = &analysis.regions()[0].constructs;
        let of = |line: u32| rows.iter().find(|row| row.construct.line == line);
        let instances = [7, 10].map(|line| of(line).map(|row| row.instances));
        let [Some(first), Some(second)] = instances else { panic!("{level}: {instances:?}") };
        assert_eq!(first & second, 0, "{level}");
        assert_eq!(first | second, (1 << barriers.len()) - 1, "{level}");
        assert_eq!((first & 3, second & 3), (1, 2), "{level}: {first:b} {second:b}");
    }
}
