//! Sources of test programs, and the constructs that a report must find in them.

pub const C_SOURCE: &str = r#"
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

pub const C_CONSTRUCTS: [&str; 5] = [
    "region at test.c:13 in solve", "region at test.c:20 in twice", "region at test.c:22 in twice",
    "region at test.c:29 in main", "task at test.c:33 in main",
];

pub const CPP_SOURCE: &str = r#"
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

pub const CPP_CONSTRUCTS: [&str; 3] = [
    "region at test.cpp:20 in main::{lambda#1}::operator()",
    "region at test.cpp:10 in ns::Values<double>::sum",
    "task at test.cpp:22 in main::{lambda#1}::operator()",
];

pub const FORTRAN_SOURCE: &str = r#"module m
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

pub const FORTRAN_CONSTRUCTS: [&str; 3] = [
    "region at test.f90:17 in main program",
    "region at test.f90:6 in m::solve",
    "task at test.f90:19 in main program",
];

/// A contained procedure, and two reductions, of which flang gives both bodies the first one's
/// line.
pub const CONTAINED_SOURCE: &str = r#"module m
  real(8) :: first, second, third
contains
  subroutine outer(n)
    integer, intent(in) :: n
    integer :: i
    real(8) :: s
    s = 0
    !$omp parallel do reduction(+:s)
    do i = 1, n
      s = s + i
    end do
    first = s
    call inner()
    call other(n)
  contains
    subroutine inner()
      real(8) :: t
      t = 0
      !$omp parallel reduction(+:t)
      t = t + n
      !$omp end parallel
      second = t
    end subroutine
  end subroutine
  subroutine other(n)
    integer, intent(in) :: n
    integer :: i
    real(8) :: s
    s = 0
    !$omp parallel do reduction(+:s)
    do i = 1, n
      s = s + 2 * i
    end do
    third = s
  end subroutine
end module
program p
  use m
  call outer(10)
  print *, first, second, third
end program
"#;

pub const CONTAINED_LINES: [u32; 3] = [9, 20, 31];
