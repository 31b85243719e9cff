//! Regions of procedures that were inlined: each keeps its own line and procedure.

mod support;

use std::collections::BTreeSet;
use std::process::Command;

use omphalos_profile_format::TaskSiteTotal;
use support::regions::{BASE, labels};
use support::{Recorder, all_calls, build};

const INLINED: &str = r#"module fields
contains
  subroutine first(total)
    real, intent(inout) :: total
    real :: part
    part = 0
    !$omp parallel num_threads(2) reduction(+:part)
    part = part + 1
    !$omp end parallel
    total = total + part
  end subroutine
  subroutine second(total, n)
    real, intent(inout) :: total
    integer, intent(in) :: n
    real :: part
    integer :: i
    part = 0
    !$omp parallel do num_threads(2) schedule(dynamic) reduction(+:part)
    do i = 1, n
      part = part + i
    end do
    total = total + part
  end subroutine
end module
program main
  use fields
  real :: a = 0, b = 0
  integer :: i
  do i = 1, 50
    call first(a)
    call second(b, 4)
  end do
  print *, a, b
end program
"#;

/// gcc gives a call the line of the code that was inlined before it.
#[test]
fn regions_of_inlined_procedures_are_their_own() {
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let built = build("gfortran", "inlined.f90", INLINED, &[level]);
        let found: BTreeSet<String> = labels(&built).into_iter().collect();
        let wanted = ["7 in fields::first", "18 in fields::second"];
        let wanted = wanted.map(|place| format!("region at inlined.f90:{place}"));
        assert_eq!(found, wanted.into_iter().collect(), "{level}");
    }
}

const INLINED_ALONE: &str = r#"
module heat
  real :: field(2) = 9
contains
  subroutine advance(step)
    integer, intent(in) :: step
    integer :: i
    !$omp parallel do schedule(static, 1) num_threads(2)
    do i = 1, 2
      call relax(field(i))
    end do
  end subroutine
  subroutine relax(cell)
    real, intent(inout) :: cell
    real :: left
    left = cell
    do while (left > 0.5)
      left = left * 0.5
      call sleep(0)
    end do
    cell = left
  end subroutine
end module
program main
  use heat
  integer :: step
  do step = 1, 100
    call advance(step)
  end do
  print *, field
end program
"#;

/// gfortran may not record that a procedure was inlined into the program.
#[test]
fn a_region_of_a_procedure_that_was_inlined_unsaid_is_its_own() {
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let built = build("gfortran", "alone.f90", INLINED_ALONE, &[level]);
        assert_eq!(labels(&built), ["region at alone.f90:8 in heat::advance"], "{level}");
    }
}

const PACKED: &str = "
static inline int first(int n)
{
    int sum = 0;
    #pragma omp parallel num_threads(2) reduction(+:sum)
    sum += n;
    return sum;
}
static inline int second(int n)
{
    int sum = 0;
    #pragma omp parallel num_threads(2) reduction(+:sum)
    sum += 2 * n;
    return sum;
}
int main(int count, char **words)
{
    (void)words;
    return first(count) + second(count) > 99;
}
";

/// A package of debug information (`dwp`) beside the program serves like the files that it was made
/// of. The machine decides which packager there is, and whether it knows DWARF 5.
#[test]
fn what_is_in_a_package_has_its_names() {
    let tools = [("dwp", "-gdwarf-4"), ("llvm-dwp-19", "-gdwarf-5"), ("llvm-dwp", "-gdwarf-5")];
    for compiler in ["gcc", "clang-19"] {
        for (tool, version) in tools {
            let flags = ["-O2", "-gsplit-dwarf", version];
            let built = build(compiler, "packed.c", PACKED, &flags);
            let package = format!("{}.dwp", built.path());
            // Some packagers do not end on another compiler's output.
            let mut command = Command::new("timeout");
            command.args(["-s", "KILL", "10", tool, "-e", built.path(), "-o", &package]);
            let made = command.current_dir(built.folder()).status();
            if !made.is_ok_and(|status| status.success()) {
                continue;
            }
            for file in std::fs::read_dir(built.folder()).unwrap().flatten() {
                if file.path().extension().is_some_and(|ending| ending == "dwo") {
                    std::fs::remove_file(file.path()).unwrap();
                }
            }
            let found: BTreeSet<String> = labels(&built).into_iter().collect();
            let wanted = ["5 in first", "12 in second"];
            let wanted = wanted.map(|place| format!("region at packed.c:{place}"));
            assert_eq!(found, wanted.into_iter().collect(), "{compiler} {tool}");
            // The program alone does not know which functions were inlined.
            std::fs::remove_file(package).unwrap();
            assert!(labels(&built).iter().all(|label| label.ends_with(" in main")), "{compiler}");
        }
    }
}

const TASK_BEHIND_INLINED: &str = r#"#include <omp.h>
#include <stdio.h>

static inline __attribute__((always_inline)) void burn(double seconds) {
    double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end)
        ;
}
int main(void) {
    int done = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int k = 0; k < 300; k++) {
        burn(0.002);
#pragma omp task shared(done)
        {
            burn(0.0004);
#pragma omp atomic
            done++;
        }
    }
    printf("%d\n", done);
    return 0;
}
"#;

/// gcc gives the call of a task the line of the loop that was inlined before it.
#[test]
fn a_task_behind_an_inlined_function_has_its_own_line() {
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let built = build("gcc", "behind.c", TASK_BEHIND_INLINED, &[level]);
        let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
        for call in all_calls(&built, &["GOMP_task@plt"]) {
            let (created, executed, stolen) = (1, 1, 0);
            let (codeptr_ra, work, shortest, longest) = (BASE + call, 10, 10, 10);
            let total =
                TaskSiteTotal { codeptr_ra, created, executed, stolen, work, shortest, longest };
            recorder.push(0, total);
        }
        let analysis = recorder.analyse();
        let found: Vec<&str> = analysis.tasks().iter().map(|row| &*row.construct.label).collect();
        assert_eq!(found, ["task at behind.c:15 in main"], "{level}");
    }
}
