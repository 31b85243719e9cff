! Collapsed loops with a dynamic schedule in a module procedure, and an ordered loop behind.
include 'truth.inc'

module fields
  use truth_m
  double precision :: swept = 0, turned = 0, waited = 0
contains
  subroutine sweep()
    integer :: i, j
    double precision :: part
    part = 0
    !$omp parallel do collapse(2) schedule(dynamic, 3) num_threads(2) reduction(+:part) ! mark: sweep
    do i = 1, 6
      do j = 1, 6
        part = part + burn(0.002d0)
      end do
    end do
    !$omp end parallel do
    swept = swept + part
  end subroutine

  subroutine turns()
    integer :: i
    double precision :: part, asked, wait
    part = 0
    wait = 0
    !$omp parallel num_threads(2) private(asked) reduction(+:part, wait) ! mark: turns
    !$omp do ordered schedule(dynamic, 1) ! mark: loop
    do i = 1, 6
      part = part + burn(0.001d0)
      asked = omp_get_wtime()
      !$omp ordered ! mark: ordered
      wait = wait + omp_get_wtime() - asked
      part = part + burn(0.004d0)
      !$omp end ordered
    end do
    !$omp end do
    !$omp end parallel
    turned = turned + part
    waited = waited + wait
  end subroutine
end module

program main
  use fields
  double precision :: start
  integer :: k
  start = omp_get_wtime()
  do k = 1, 8
    call sweep()
    call turns()
  end do
  call truth('work@sweep', swept)
  call truth('instances@sweep', 8d0)
  call truth('work@turns', turned)
  call truth('mutex_wait@turns', waited)
  call truth('iterations@loop', 48d0)
  call truth('elapsed', omp_get_wtime() - start)
end program
