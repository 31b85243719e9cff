! A workshare whose statements are scalars': one thread executes them.
include 'truth.inc'

module parts
  use truth_m
contains
  impure elemental function part(seconds) result(took)
    double precision, intent(in) :: seconds
    double precision :: took
    took = burn(seconds)
  end function
end module

program main
  use parts
  double precision :: work(0:127), start, a, b
  integer :: k
  work = 0
  start = omp_get_wtime()
  !$omp parallel num_threads(2) private(k) ! mark: region
  do k = 1, 10
    !$omp workshare ! mark: share, disease: imbalance
    a = part(0.015d0)
    b = part(0.015d0)
    work(0) = work(0) + a + b
    !$omp end workshare
    work(64 * omp_get_thread_num()) = work(64 * omp_get_thread_num()) + burn(0.010d0)
    !$omp barrier
  end do
  !$omp end parallel
  call truth('work@region', sum(work))
  call truth('elapsed', omp_get_wtime() - start)
end program
