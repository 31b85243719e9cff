//! Regions of procedures that gfortran inlines: each keeps its own line and procedure.

mod support;

use std::collections::BTreeSet;

use support::build;
use support::regions::labels;

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

/// gcc gives a call the line of what was inlined before it.
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

/// gfortran may say nowhere that a procedure was inlined into the program.
#[test]
fn a_region_of_a_procedure_that_was_inlined_unsaid_is_its_own() {
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let built = build("gfortran", "alone.f90", INLINED_ALONE, &[level]);
        assert_eq!(labels(&built), ["region at alone.f90:8 in heat::advance"], "{level}");
    }
}
