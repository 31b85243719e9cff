! Workshare with where, forall and an intrinsic reduction, between loops that are uneven.
include 'truth.inc'

program main
  use truth_m
  integer, parameter :: n = 2000
  real :: a(n), b(n), total
  double precision :: work, start, own(0:1), idle
  double precision :: took
  integer :: i, k, me
  a = 1
  b = 2
  work = 0
  idle = 0
  start = omp_get_wtime()
  do k = 1, 20
    own = 0
    !$omp parallel num_threads(2) private(me, took) reduction(+:work) ! mark: region
    me = omp_get_thread_num()
    !$omp workshare
    where (a > 0)
      b = a + 1
    elsewhere
      b = 0
    end where
    forall (i = 1:n) a(i) = b(i) - 1
    total = sum(a)
    !$omp end workshare
    !$omp do schedule(static,1) ! mark: loop, disease: imbalance
    do i = 1, 2
      took = burn(merge(0.018d0, 0.006d0, i == 2))
      work = work + took
      own(me) = own(me) + took
    end do
    !$omp end do
    !$omp end parallel
    idle = idle + maxval(own) * 2 - sum(own)
  end do
  call truth('work@region', work)
  call truth('instances@loop', 20d0)
  call truth('wait@loop', idle)
  call truth('elapsed', omp_get_wtime() - start)
end program
