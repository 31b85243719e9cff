! @compilers: gfortran — flang has no taskloop yet
! healthy
! Taskloops and a taskgroup of a contained subroutine.
include 'truth.inc'

program main
  use truth_m
  double precision :: work(0:127), start
  integer :: k
  work = 0
  start = omp_get_wtime()
  !$omp parallel num_threads(2) ! mark: region
  !$omp masked
  do k = 1, 6
    call spread()
  end do
  !$omp end masked
  !$omp end parallel
  call truth('work@region', sum(work))
  call truth('elapsed', omp_get_wtime() - start)
contains
  subroutine spread()
    integer :: i
    !$omp taskgroup
    !$omp taskloop grainsize(1) nogroup ! mark: loop
    do i = 1, 16
      work(64 * omp_get_thread_num()) = work(64 * omp_get_thread_num()) + burn(0.006d0)
    end do
    !$omp end taskloop
    !$omp end taskgroup
  end subroutine
end program
