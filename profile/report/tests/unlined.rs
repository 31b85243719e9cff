//! Code that compilers give no line, or no table of functions.

mod support;

use support::regions::{BASE, labels};
use support::{Built, Recorder, build, state, thread_total};

const UNLINED: &str = r#"#include <stdio.h>
static volatile int sum;
static inline __attribute__((always_inline)) void inner(int by) {
    sum += by;
    __asm__ volatile(".loc 1 0 0\n\t.globl at_zero\nat_zero:\tnop\n\tnop\n\t.size at_zero, 1");
}
__attribute__((noinline)) int outer(int by) {
    sum = by;
    inner(by);
    return sum;
}
int main(void) {
    printf("%d\n", outer(3));
    return 0;
}
"#;

fn hot_lines(built: &Built, at: u64) -> Vec<String> {
    let mut recorder = Recorder::new(&[(BASE, 1 << 20, built.path(), 0)]);
    recorder.push(0, thread_total(0, 1_000_000_000, 0));
    recorder.sample(0, state::SERIAL, 0, &[BASE + at]);
    let analysis = recorder.analyse();
    let place = |line: &omphalos_report::HotLine| format!("{} in {}", line.line, line.function);
    analysis.hot_lines().iter().map(place).collect()
}

/// Code of line 0 takes the line of neighbouring code of its own function, not that of a call
/// further out.
#[test]
fn code_without_a_line_has_one_of_its_function() {
    let built = build("gcc", "unlined.c", UNLINED, &["-O2"]);
    let (at, _) = built.function("at_zero");
    let found = hot_lines(&built, at);
    assert_eq!(found, ["5 in inner"]);
}

/// No procedure here calls one that may throw: flang makes no unwind table, and the body of each
/// region begins with the line of the procedure.
const UNTABLED: &str = r#"
module kernels
contains
  subroutine one(n, a)
    integer, intent(in) :: n
    double precision, intent(inout) :: a(n)
    integer :: i
    ! Something before it.
    !$omp parallel
    !$omp do
    do i = 1, n
      a(i) = a(i) * 0.5d0 + i
    end do
    !$omp end do
    !$omp end parallel
  end subroutine
  subroutine two(n, a, b)
    integer, intent(in) :: n
    double precision, intent(inout) :: a(n), b(n)
    integer :: i

    !$omp parallel
    !$omp do
    do i = 1, n
      a(i) = a(i) * b(i)
    end do
    !$omp end do
    !$omp end parallel
  end subroutine
end module
"#;

#[test]
fn regions_in_no_unwind_table_have_their_own_lines() {
    for level in ["-O0", "-O1", "-O2", "-O3"] {
        let built = build("flang-new-19", "kernels.f90", UNTABLED, &[level, "-fPIC", "-shared"]);
        let mut found = labels(&built);
        found.sort();
        let wanted = ["22 in kernels::two", "9 in kernels::one"];
        assert_eq!(found, wanted.map(|place| format!("region at kernels.f90:{place}")), "{level}");
    }
}
