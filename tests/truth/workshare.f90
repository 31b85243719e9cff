! healthy
! Array statements in a workshare construct beside a loop.
include 'truth.inc'

program main
  use truth_m
  integer, parameter :: n = 4000
  real :: a(n), b(n)
  double precision :: work, start
  integer :: i, k
  a = 1
  work = 0
  start = omp_get_wtime()
  !$omp parallel num_threads(2) private(k) reduction(+:work) ! mark: region
  do k = 1, 20
    !$omp workshare
    b = a + 1
    a = b
    !$omp end workshare
    !$omp do schedule(static,1) ! mark: loop
    do i = 1, 4
      work = work + burn(0.008d0)
    end do
    !$omp end do
  end do
  !$omp end parallel
  call truth('work@region', work)
  call truth('elapsed', omp_get_wtime() - start)
end program
