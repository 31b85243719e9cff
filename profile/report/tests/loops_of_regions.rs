//! Several regions of one function, entered in a loop: gcc loads the addresses of all their bodies
//! before the loop. Each region keeps its own line; each call site of a stripped program its own
//! row.

mod support;

use std::collections::BTreeSet;

use omphalos_profile_format::module_flag;
use support::regions::{BASE, FORKS, labels};
use support::{Recorder, all_calls, build, expected, region_total, stacks, state};

const RUNTIME: u64 = 0x7f00_0000_0000;
const STEPS: &str = r#"
extern int printf(const char *, ...);
static double a[1000], b[1000];
static volatile int asked;
__attribute__((noinline)) static double flops(long n)
{
    volatile double s = 0;
    for (long i = 0; i < n; i++) s += i * 0.5;
    return s;
}
int main(int count, char **words)
{
    long n = count > 5 ? 1 : 1000;
    #pragma omp parallel for num_threads(2)
    for (int i = 0; i < n; i++) a[i] += flops(100);
    for (int step = 0; step < 100; step++) {
        #pragma omp parallel num_threads(2)
        flops(8 * n);
        if (asked > step) {
            #pragma omp parallel num_threads(2)
            { flops(4 * n); asked++; }
        }
        switch (asked) {
        case 1:
            #pragma omp parallel num_threads(2)
            { flops(2 * n); asked--; }
            printf("one\n");
            break;
        case 2: printf("two\n"); break;
        case 3: printf("three\n"); break;
        case 4:
            #pragma omp parallel num_threads(2)
            { flops(3 * n); asked -= 2; }
            break;
        case 5: printf("five\n"); break;
        case 6: printf("six\n"); break;
        }
        for (int k = 0; k < 3; k++) {
            #pragma omp parallel for num_threads(2)
            for (int i = 0; i < n; i++) b[i] += a[i] * k;
            #pragma omp parallel for num_threads(2) schedule(dynamic)
            for (int i = 0; i < n; i++) b[i] -= a[i] / (k + 1);
        }
        #pragma omp parallel num_threads(2)
        { flops(n); asked = 0; }
        #pragma omp parallel num_threads(2)
        { flops(n + 1); asked = 1; }
        #pragma omp parallel num_threads(2)
        { flops(n + 2); asked = 2; }
        #pragma omp parallel num_threads(2)
        { flops(n + 3); asked = 3; }
    }
    printf("%g\n", b[5] + words[0][0]);
    return 0;
}
"#;

const LINES: [u32; 11] = [14, 17, 20, 25, 32, 39, 41, 44, 46, 48, 50];

#[test]
fn each_region_of_a_loop_has_its_line() {
    for compiler in ["gcc", "clang-19"] {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let built = build(compiler, "steps.c", STEPS, &[level]);
            let found: BTreeSet<String> = labels(&built).into_iter().collect();
            let lines: BTreeSet<String> =
                LINES.iter().map(|line| format!("region at steps.c:{line} in main")).collect();
            assert_eq!(found, lines, "{compiler} {level}");
        }
    }
}

#[test]
fn each_call_site_of_a_stripped_program_has_its_row() {
    for level in ["-O1", "-O2", "-O3"] {
        let built = build("gcc", "steps.c", STEPS, &[level]);
        let calls = all_calls(&built, &FORKS);
        assert!(calls.len() >= LINES.len(), "{level}");
        built.strip(&["--strip-all"]);
        let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
        for call in &calls {
            recorder.push(0, region_total(BASE + call, 1));
        }
        let found: BTreeSet<String> = recorder
            .analyse()
            .regions()
            .iter()
            .map(|row| row.construct.label.to_string())
            .collect();
        let sites: BTreeSet<String> =
            calls.iter().map(|call| format!("region at program+{call:#x}")).collect();
        assert_eq!(found, sites, "{level}");
    }
}

const MEMBERS: &str = r#"
#include <cmath>
#include <cstdio>
#include <vector>
template <class F> inline void parallel_for(long n, F f)
{
    #pragma omp parallel for num_threads(2)
    for (long i = 0; i < n; i++) f(i);
}
struct Solver {
    std::vector<double> u, v;
    explicit Solver(long n) : u(n), v(n) {}
    __attribute__((noinline)) double run(int steps)
    {
        double norm = 0;
        for (int s = 0; s < steps; s++) {
            #pragma omp parallel for num_threads(2)
            for (size_t i = 0; i < u.size(); i++) u[i] += std::sqrt(v[i] + s);
            #pragma omp parallel for num_threads(2) reduction(+ : norm)
            for (size_t i = 0; i < u.size(); i++) norm += u[i] * v[i];
            if (norm > 1e300) throw norm;
            parallel_for(u.size(), [&](long i) { v[i] = u[i] + s; });
        }
        return norm;
    }
};
int main()
{
    Solver solver(1000);
    try {
        std::printf("%g\n", solver.run(10));
    } catch (double) {
        #pragma omp parallel num_threads(2)
        solver.u[0] += 1;
    }
}
"#;

#[test]
fn each_region_of_a_member_function_has_its_line() {
    for compiler in ["g++", "clang++-19"] {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let built = build(compiler, "members.cpp", MEMBERS, &[level]);
            let found: BTreeSet<String> = labels(&built).into_iter().collect();
            assert_eq!(
                found,
                expected(&[
                    "region at members.cpp:17 in Solver::run",
                    "region at members.cpp:19 in Solver::run",
                    "region at members.cpp:7 in parallel_for<Solver::run::{lambda#1}>",
                    "region at members.cpp:33 in main",
                ]),
                "{compiler} {level}"
            );
        }
    }
}

const FORTRAN: &str = r#"program p
  implicit none
  real(8) :: a(1000), b(1000)
  integer :: i, step
  a = 1
  b = 2
  do step = 1, 10
    !$omp parallel do num_threads(2)
    do i = 1, 1000
      a(i) = a(i) + b(i) * step
    end do
    !$omp end parallel do
    !$omp parallel do num_threads(2)
    do i = 1, 1000
      b(i) = b(i) - a(i)
    end do
    !$omp end parallel do
    !$omp parallel num_threads(2)
    a(5) = 3
    !$omp end parallel
  end do
  print *, a(5), b(7)
end program
"#;

#[test]
fn each_region_of_a_fortran_loop_has_its_line() {
    for compiler in ["gfortran", "flang-new-19"] {
        for level in ["-O0", "-O1", "-O2", "-O3"] {
            let built = build(compiler, "steps.f90", FORTRAN, &[level]);
            let found: BTreeSet<String> = labels(&built).into_iter().collect();
            let lines =
                [8, 13, 18].map(|line| format!("region at steps.f90:{line} in main program"));
            assert_eq!(found, lines.into_iter().collect(), "{compiler} {level}");
        }
    }
}

const JUMPS: &str = r#"
extern int puts(const char *);
static volatile double sink;
__attribute__((noinline)) static void solve(long n)
{
    for (long i = 0; i < n; i++) sink += 1;
    puts("");
}
__attribute__((noinline)) static void phase(long n)
{
    #pragma omp parallel num_threads(2)
    {
        #pragma omp task
        solve(2 * n);
    }
    sink = 0;
}
int main(int count, char **words)
{
    for (int i = 0; i < 10; i++) {
        #pragma omp parallel num_threads(2)
        solve(count);
        phase(count);
    }
    return words[0][0] == 0;
}
"#;

/// gcc makes the last call of a body a jump: the body is on no stack, but the function that it
/// jumped to is. A task that a thread executes at its region's end is inside that region.
#[test]
fn what_a_body_jumps_to_keeps_its_name() {
    let built = build("gcc", "jumps.c", JUMPS, &["-O2"]);
    const LIBC: u64 = 0x7e00_0000_0000;
    let mut recorder = Recorder::new(&[
        (BASE, 1 << 20, built.path(), 0),
        (LIBC, 0x1000, "/nowhere/libc.so.6", 0),
        (RUNTIME, 0x1000, "/nowhere/libgomp.so.1", module_flag::RUNTIME),
    ]);
    let in_main = BASE + built.calls("main", "GOMP_parallel@plt")[0];
    let in_phase = BASE + built.calls("phase", "GOMP_parallel@plt")[0];
    let phase = BASE + built.calls("main", "phase")[0];
    let task = BASE + all_calls(&built, &["GOMP_task@plt"])[0];
    let solve = BASE + built.function("solve").0 + 9;
    let invoke = RUNTIME + 0x101;
    recorder.fork(0, 1, 0, in_main, &[RUNTIME + 17, in_main]);
    recorder.sample(0, state::PARALLEL, 1, &[solve, invoke, in_main]);
    recorder.sample(1, state::PARALLEL, 1, &[solve, invoke]);
    // solve itself ended in a jump to the C library.
    recorder.sample(0, state::PARALLEL, 1, &[LIBC + 64, invoke, in_main]);
    recorder.sample(1, state::PARALLEL, 1, &[LIBC + 64, invoke]);
    recorder.fork(0, 2, 0, in_phase, &[RUNTIME + 17, in_phase, phase]);
    let execute = RUNTIME + 0x201;
    recorder.task_sample(
        0,
        state::PARALLEL,
        2,
        &[solve, execute, RUNTIME + 0x301, in_phase, phase],
        task,
    );
    recorder.task_sample(1, state::PARALLEL, 2, &[solve, execute, RUNTIME + 0x401], task);
    let first = "main;region at jumps.c:21 in main;solve";
    let libc = "main;region at jumps.c:21 in main;libc.so.6+0x40";
    let second = "main;phase;region at jumps.c:11 in phase;task at jumps.c:13 in phase;solve";
    assert_eq!(stacks(&recorder.analyse()), [first, first, libc, libc, second, second]);
}
