//! One source, several compilers, one report: constructs have the directive's line and the user's
//! function whatever the compiler made of them.

mod support;

use std::collections::BTreeSet;

use omphalos_profile_format::{MutexSiteTotal, TaskSiteTotal, module_flag};
use omphalos_report::Analysis;
use support::{Built, Recorder, build, region_total, stacks, state};

const BASE: u64 = 0x5555_5555_0000;

const C_SOURCE: &str = r#"
#include <stdio.h>
#include <omp.h>
static double total;
static volatile int counted;
static double work(int n) {
    volatile double s = 0;
    for (int i = 0; i < n; i++) s += i * 0.5;
    return s;
}
__attribute__((noinline)) void solve(int n)
{
    #pragma omp parallel for schedule(dynamic,1) \
        reduction(+:total)
    for (int i = 0; i < n; i++)
        total += work(i);
}
static void twice(void)
{
    #pragma omp parallel
    {
        #pragma omp parallel num_threads(2)
        work(omp_get_thread_num() * 1000 + 10);
        counted += 1;
    }
}
int main(void)
{
    #pragma omp parallel
    {
        #pragma omp single
        for (int i = 0; i < 100; i++) {
            #pragma omp task firstprivate(i)
            {
                work(i);
            }
        }
        #pragma omp critical(hot)
        total += 1;
        #pragma omp critical
        total += 1;
    }
    solve(1000);
    twice();
    printf("%g\n", total);
}
"#;

const C_CONSTRUCTS: [&str; 5] = [
    "region at test.c:13 in solve",
    "region at test.c:20 in twice",
    "region at test.c:22 in twice",
    "region at test.c:29 in main",
    "task at test.c:33 in main",
];

const CPP_SOURCE: &str = r#"
#include <cstdio>
#include <vector>
static volatile int counted;
namespace ns {
template<class T> struct Values {
    std::vector<T> v;
    T sum(int from) const {
        T s = 0;
        #pragma omp parallel for reduction(+:s)
        for (size_t i = from; i < v.size(); i++) s += v[i];
        return s;
    }
};
}
int main() {
    ns::Values<double> a;
    a.v.resize(1000);
    auto fill = [&](int n) {
        #pragma omp parallel
        {
            #pragma omp task
            a.v[0] += n;
            counted += 1;
        }
    };
    fill(3);
    printf("%g\n", a.sum(2));
}
"#;

const CPP_CONSTRUCTS: [&str; 3] = [
    "region at test.cpp:20 in main::{lambda#1}::operator()",
    "region at test.cpp:10 in ns::Values<double>::sum",
    "task at test.cpp:22 in main::{lambda#1}::operator()",
];

const FORTRAN_SOURCE: &str = r#"module m
contains
subroutine solve(a, n)
  integer :: n, i
  real(8) :: a(n)
  !$omp parallel do
  do i = 1, n
    a(i) = a(i) * 2 + i
  end do
  !$omp end parallel do
end subroutine
end module
program p
  use m
  real(8) :: a(1000)
  a = 1
  !$omp parallel
  !$omp single
  !$omp task
  call solve(a, 1000)
  !$omp end task
  !$omp end single
  !$omp end parallel
  print *, a(5)
end program
"#;

const FORTRAN_CONSTRUCTS: [&str; 3] = [
    "region at test.f90:17 in main program",
    "region at test.f90:6 in m::solve",
    "task at test.f90:19 in main program",
];

fn all_calls(built: &Built, callees: &[&str]) -> Vec<u64> {
    let mut found: Vec<u64> = callees.iter().flat_map(|callee| built.all_calls(callee)).collect();
    found.sort_unstable();
    found
}

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

fn expected(labels: &[&str]) -> BTreeSet<String> {
    labels.iter().map(|label| (*label).to_owned()).collect()
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

#[test]
fn position_dependent_programs_are_read_too() {
    let built = build("gcc", "test.c", C_SOURCE, &["-O2", "-no-pie"]);
    let mut recorder = Recorder::new(&[(0x40_0000, 1 << 20, built.path(), 0)]);
    for call in all_calls(&built, &["GOMP_parallel@plt"]) {
        recorder.push(0, region_total(call, 1));
    }
    let analysis = recorder.analyse();
    let found: BTreeSet<_> =
        analysis.regions().iter().map(|row| row.construct.label.to_string()).collect();
    assert_eq!(found, expected(&C_CONSTRUCTS[..4]));
}

#[test]
fn separate_debug_files_give_lines() {
    let built = build("gcc", "test.c", C_SOURCE, &["-O2", "-Wl,--build-id"]);
    let debug = built.folder().join("program.debug");
    let run = |program: &str, args: &[&std::ffi::OsStr]| {
        let status = std::process::Command::new(program)
            .args(args)
            .current_dir(built.folder())
            .status()
            .expect("binutils run");
        assert!(status.success());
    };
    let all = totals(&built);
    run("objcopy", &["--only-keep-debug".as_ref(), built.program.as_ref(), debug.as_ref()]);
    run("objcopy", &["--strip-all".as_ref(), built.program.as_ref()]);
    let link = format!("--add-gnu-debuglink={}", debug.display());
    run("objcopy", &[link.as_ref(), built.program.as_ref()]);
    assert_eq!(all.regions().len(), 4);
    // The functions are found by name before the program was stripped, so ask for addresses again.
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
    for call in call_addresses(C_SOURCE) {
        recorder.push(0, region_total(BASE + call, 1));
    }
    let labels: BTreeSet<_> =
        recorder.analyse().regions().iter().map(|row| row.construct.label.to_string()).collect();
    assert_eq!(labels, expected(&C_CONSTRUCTS[..4]));
}

/// Region calls of an unstripped twin of a program.
fn call_addresses(source: &str) -> Vec<u64> {
    let twin = build("gcc", "test.c", source, &["-O2", "-Wl,--build-id"]);
    all_calls(&twin, &["GOMP_parallel@plt"])
}

#[test]
fn a_stripped_program_gives_offsets_and_dynamic_names() {
    let built = build("gcc", "test.c", C_SOURCE, &["-O2", "-rdynamic"]);
    let calls = all_calls(&built, &["GOMP_parallel@plt"]);
    let solve = built.calls("solve", "GOMP_parallel@plt")[0];
    built.strip(&["--strip-all"]);
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
    for call in &calls {
        recorder.push(0, region_total(BASE + call, 1));
    }
    let analysis = recorder.analyse();
    let labels: Vec<_> =
        analysis.regions().iter().map(|row| row.construct.label.to_string()).collect();
    let expected = format!("region at program+{solve:#x} in solve");
    assert!(labels.contains(&expected), "{expected} in {labels:?}");
    assert!(labels.iter().any(|label| label.ends_with(" in main")), "{labels:?}");
}

#[test]
fn a_changed_program_is_not_believed() {
    let built = build("gcc", "test.c", C_SOURCE, &["-O2", "-Wl,--build-id"]);
    let mut recorder = Recorder::new(&[]);
    let module = omphalos_profile_format::Module {
        base: BASE,
        end: BASE + (1 << 20),
        file_offset: 0,
        path: built.path().as_bytes(),
        build_id: b"another build",
        flags: 0,
    };
    recorder.push(0, module);
    recorder.push(0, region_total(BASE + 0x1200, 1));
    let analysis = recorder.analyse();
    assert_eq!(&*analysis.regions()[0].construct.label, "region at program+0x11ff");
    assert!(analysis.warnings()[0].contains("is another build"), "{:?}", analysis.warnings());
}

#[test]
fn criticals_have_their_names() {
    for compiler in ["gcc", "clang-19"] {
        let built = build(compiler, "test.c", C_SOURCE, &["-O2"]);
        let enters =
            ["GOMP_critical_name_start@plt", "GOMP_critical_start@plt", "__kmpc_critical@plt"];
        let calls = all_calls(&built, &enters);
        assert_eq!(calls.len(), 2, "{compiler}");
        let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
        for (i, call) in calls.iter().enumerate() {
            let total = MutexSiteTotal {
                wait_id: 0x7000_0000 + i as u64, // on the runtime's heap
                mutex_kind: 5,
                codeptr_ra: BASE + call,
                acquisitions: 10,
                contended: 1,
                wait: 100 - i as u64,
                longest_wait: 10,
                hold: 10,
            };
            recorder.push(0, total);
        }
        let analysis = recorder.analyse();
        let rows: Vec<_> = analysis
            .mutexes()
            .iter()
            .map(|row| format!("{}, {}", row.name, row.sites[0].0.label))
            .collect();
        let named = "critical (hot), test.c:38 in main";
        let unnamed = "critical (unnamed), test.c:40 in main";
        assert_eq!(rows, [named, unnamed], "{compiler}");
    }
}

/// The stack of a thread in `solve`'s region, as each compiler's program has it.
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
        // Anywhere in the body: only the work that was inlined there may stand above the region.
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

/// gcc ends a function that ends in a region by a jump into the runtime: the return address is that
/// of the caller, be it the user's function or the runtime.
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
