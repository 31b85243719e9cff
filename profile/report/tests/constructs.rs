//! One source, several compilers, one report: constructs have the directive's line and the user's
//! function, whatever the compiler made of them.

mod support;

use std::collections::BTreeSet;

use omphalos_profile_format::{MutexSiteTotal, RegionSiteTotal, TaskSiteTotal, module_flag};
use omphalos_report::Analysis;
use support::sources::*;
use support::{Built, Recorder, all_calls, build, expected, region_total, stacks, state};

const BASE: u64 = 0x5555_5555_0000;

fn totals(built: &Built) -> Analysis {
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
    for call in all_calls(built, &["GOMP_parallel@plt", "__kmpc_fork_call@plt"]) {
        recorder.push(0, region_total(BASE + call, 1));
    }
    for call in all_calls(built, &["GOMP_task@plt", "__kmpc_omp_task@plt"]) {
        let (created, executed, stolen) = (1, 1, 0);
        let (work, shortest, longest) = (10, 10, 10);
        let codeptr_ra = BASE + call;
        let total =
            TaskSiteTotal { codeptr_ra, created, executed, stolen, work, shortest, longest };
        recorder.push(0, total);
    }
    recorder.analyse()
}

fn constructs(built: &Built) -> BTreeSet<String> {
    let analysis = totals(built);
    assert_eq!(analysis.warnings(), [""; 0]);
    let regions = analysis.regions().iter().map(|row| row.construct.label.to_string());
    regions.chain(analysis.tasks().iter().map(|row| row.construct.label.to_string())).collect()
}

#[test]
fn c_constructs_are_the_same_by_gcc_and_clang() {
    for compiler in ["gcc", "clang-19"] {
        for level in ["-O0", "-O2"] {
            let built = build(compiler, "test.c", C_SOURCE, &[level]);
            assert_eq!(constructs(&built), expected(&C_CONSTRUCTS), "{compiler} {level}");
        }
    }
}

#[test]
fn cpp_constructs_are_the_same_by_gcc_and_clang() {
    for compiler in ["g++", "clang++-19"] {
        for level in ["-O0", "-O2"] {
            let built = build(compiler, "test.cpp", CPP_SOURCE, &[level]);
            assert_eq!(constructs(&built), expected(&CPP_CONSTRUCTS), "{compiler} {level}");
        }
    }
}

#[test]
fn fortran_constructs_are_the_same_by_gfortran_and_flang() {
    for compiler in ["gfortran", "flang-new-19"] {
        for level in ["-O0", "-O2"] {
            let built = build(compiler, "test.f90", FORTRAN_SOURCE, &[level]);
            assert_eq!(constructs(&built), expected(&FORTRAN_CONSTRUCTS), "{compiler} {level}");
        }
    }
}

#[test]
fn regions_of_contained_procedures_have_their_lines() {
    for compiler in ["gfortran", "flang-new-19"] {
        for level in ["-O0", "-O2"] {
            let built = build(compiler, "test.f90", CONTAINED_SOURCE, &[level]);
            let analysis = totals(&built);
            let lines: BTreeSet<_> =
                analysis.regions().iter().map(|row| row.construct.line).collect();
            assert_eq!(lines, BTreeSet::from(CONTAINED_LINES), "{compiler} {level}");
        }
    }
}

const INQUIRY_SOURCE: &str = r#"
extern double omp_get_wtime(void);
static volatile double sink;
int main(void)
{
    #pragma omp parallel
    while (sink + omp_get_wtime() < 0)
        sink += 1;
    return 0;
}
"#;

/// A program that asks the runtime for the time is at work.
#[test]
fn inquiries_are_the_programs_own_work() {
    for (compiler, fork, body) in [
        ("gcc", "GOMP_parallel@plt", "main._omp_fn.0"),
        ("clang-19", "__kmpc_fork_call@plt", "main.omp_outlined"),
    ] {
        let built = build(compiler, "test.c", INQUIRY_SOURCE, &["-O2"]);
        const RUNTIME: u64 = 0x7f00_0000_0000;
        let mut recorder = Recorder::new(&[
            (BASE, 1 << 20, built.path(), 0),
            (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
        ]);
        let site = BASE + built.calls("main", fork)[0];
        let asked = BASE + built.calls(body, "omp_get_wtime@plt")[0];
        recorder.fork(0, 1, 0, site, &[RUNTIME + 16, site]);
        for pc in 0..20 {
            recorder.sample(1, state::PARALLEL, 1, &[RUNTIME + pc, asked, RUNTIME + 48]);
        }
        recorder.push(0, RegionSiteTotal { work: 100, ..region_total(site, 1) });
        let analysis = recorder.analyse();
        let row = &analysis.regions()[0];
        assert_eq!((row.work, row.overhead), (100, 0), "{compiler}");
        let all = stacks(&analysis);
        let last = "region at test.c:6 in main;omp_get_wtime";
        assert!(all.iter().all(|stack| stack.ends_with(last)), "{all:?}");
    }
}

#[test]
fn regions_of_c_keep_their_lines_without_the_source() {
    for compiler in ["gcc", "clang-19"] {
        let built = build(compiler, "test.c", C_SOURCE, &["-O2"]);
        built.remove_source();
        let found = constructs(&built);
        for label in C_CONSTRUCTS.iter().filter(|label| label.starts_with("region")) {
            assert!(found.contains(*label), "{compiler}: {label} in {found:?}");
        }
    }
}

/// The stack of a thread in `solve`'s region, in each compiler's program.
#[test]
fn one_stack_for_both_compilers() {
    for (compiler, fork, body) in [
        ("gcc", "GOMP_parallel@plt", "solve._omp_fn.0"),
        ("clang-19", "__kmpc_fork_call@plt", "solve.omp_outlined"),
    ] {
        let built = build(compiler, "test.c", C_SOURCE, &["-O2"]);
        const RUNTIME: u64 = 0x7f00_0000_0000;
        let mut recorder = Recorder::new(&[
            (BASE, 1 << 20, built.path(), 0),
            (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
        ]);
        let in_main = BASE + built.calls("main", "solve")[0];
        let site = BASE + built.calls("solve", fork)[0];
        let (start, size) = built.function(body);
        recorder.fork(0, 1, 0, site, &[RUNTIME + 16, site, in_main]);
        // Anywhere in the body: only the work that was inlined there may be above the region.
        let mut seen = BTreeSet::new();
        for pc in (start..start + size).step_by(5) {
            let primary = [BASE + pc, RUNTIME + 32, site, in_main];
            recorder.sample(0, state::PARALLEL, 1, &primary);
            recorder.sample(1, state::PARALLEL, 1, &[BASE + pc, RUNTIME + 48]);
        }
        let analysis = recorder.analyse();
        let all = stacks(&analysis);
        for two in all.chunks(2) {
            assert_eq!(two[0], two[1], "{compiler}");
            seen.insert(two[0].clone());
        }
        let region = "main;solve;region at test.c:13 in solve";
        assert_eq!(seen, expected(&[region, &format!("{region};work")]), "{compiler}");
    }
}

#[test]
fn a_task_body_is_the_task_for_both_compilers() {
    for (compiler, create, body) in [
        ("gcc", "GOMP_task@plt", "main._omp_fn.1"),
        ("clang-19", "__kmpc_omp_task@plt", ".omp_task_entry."),
    ] {
        let built = build(compiler, "test.c", C_SOURCE, &["-O2"]);
        const RUNTIME: u64 = 0x7f00_0000_0000;
        let mut recorder = Recorder::new(&[
            (BASE, 1 << 20, built.path(), 0),
            (RUNTIME, 0x1000, "/nowhere/libomp.so.5", module_flag::RUNTIME),
        ]);
        let fork = if compiler == "gcc" { "GOMP_parallel@plt" } else { "__kmpc_fork_call@plt" };
        let site = BASE + built.calls("main", fork)[0];
        let task = BASE + all_calls(&built, &[create])[0];
        let (start, size) = built.function(body);
        recorder.fork(0, 1, 0, site, &[RUNTIME + 16, site]);
        for pc in (start..start + size).step_by(7) {
            recorder.task_sample(1, state::PARALLEL, 1, &[BASE + pc, RUNTIME + 48], task);
        }
        let seen: BTreeSet<_> = stacks(&recorder.analyse()).into_iter().collect();
        let base = "main;region at test.c:29 in main;task at test.c:33 in main";
        let with_work = format!("{base};work");
        assert!(seen.is_subset(&expected(&[base, &with_work])), "{compiler}: {seen:?}");
        assert!(seen.contains(&with_work), "{compiler}: {seen:?}");
    }
}

const TAIL_SOURCE: &str = r#"
#include <omp.h>
static volatile double sink;
__attribute__((noinline)) void inner(void)
{
    #pragma omp parallel num_threads(2)
    sink += 1;
}
__attribute__((noinline)) void outer(void)
{
    #pragma omp parallel
    {
        #pragma omp parallel num_threads(2)
        sink += 2;
    }
}
int main(void)
{
    inner();
    outer();
    return 0;
}
"#;

/// gcc ends a function whose last statement is a region by a jump into the runtime: the return
/// address is that of the caller, be it the user's function or the runtime.
#[test]
fn regions_that_are_tail_called_are_found() {
    let built = build("gcc", "tail.c", TAIL_SOURCE, &["-O2"]);
    assert!(built.calls("inner", "GOMP_parallel@plt").is_empty(), "gcc made no tail call");
    const RUNTIME: u64 = 0x7f00_0000_0000;
    let mut recorder = Recorder::new(&[
        (BASE, 1 << 20, built.path(), 0),
        (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
    ]);
    let inner = BASE + built.calls("main", "inner")[0];
    let outer = BASE + built.calls("main", "outer")[0];
    let start = |name: &str| BASE + built.function(name).0;
    let invoke = RUNTIME + 33;
    recorder.fork(0, 1, 0, inner, &[RUNTIME + 17, inner]);
    recorder.sample(1, state::PARALLEL, 1, &[start("inner._omp_fn.0") + 4, RUNTIME + 49]);
    recorder.fork(0, 2, 0, outer, &[RUNTIME + 17, outer]);
    // The nested region's return address lies in the runtime, which called the outer body.
    recorder.fork(0, 3, 2, invoke, &[RUNTIME + 17, invoke, RUNTIME + 17, outer]);
    recorder.sample(
        0,
        state::PARALLEL,
        3,
        &[start("outer._omp_fn.1") + 4, RUNTIME + 33, invoke, RUNTIME + 17, outer],
    );
    recorder.sample(1, state::PARALLEL, 3, &[start("outer._omp_fn.1") + 4, RUNTIME + 49]);
    let nested = "main;outer;region at tail.c:11 in outer;region at tail.c:13 in outer";
    assert_eq!(
        stacks(&recorder.analyse()),
        ["main;inner;region at tail.c:6 in inner", nested, nested]
    );
}

const SCOPES_SOURCE: &str = r#"
#include <omp.h>
namespace {
struct Index {
    unsigned *cells;
    omp_lock_t lock;
    void insert(unsigned key) {
        omp_set_lock(&lock);
        for (unsigned i = 0; i < 100; i++) cells[key % 64] += i * key;
        omp_unset_lock(&lock);
    }
};
unsigned cells[64];
Index index_ = {cells, {}};
}
int main() {
    omp_init_lock(&index_.lock);
    #pragma omp parallel for
    for (unsigned i = 0; i < 1000; i++) index_.insert(i);
    return 0;
}
"#;

/// gcc gives functions of an unnamed namespace no linkage name in the line information.
#[test]
fn functions_without_linkage_names_keep_their_scopes() {
    for compiler in ["g++", "clang++-19"] {
        for level in ["-O0", "-O2"] {
            let built = build(compiler, "scopes.cpp", SCOPES_SOURCE, &[level]);
            let acquire = all_calls(&built, &["omp_set_lock@plt"]);
            let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
            let codeptr_ra = BASE + acquire[0];
            recorder.push(
                0,
                MutexSiteTotal {
                    wait_id: 0x10,
                    mutex_kind: 1,
                    codeptr_ra,
                    acquisitions: 1,
                    contended: 0,
                    wait: 0,
                    longest_wait: 0,
                    hold: 0,
                },
            );
            let analysis = recorder.analyse();
            let site = &analysis.mutexes()[0].sites[0].0;
            let expected = "scopes.cpp:8 in (anonymous namespace)::Index::insert";
            assert_eq!(&*site.label, expected, "{compiler} {level}");
        }
    }
}
