! A module's procedures with three regions, one of them in a contained procedure.
include 'truth.inc'

module physics
  use truth_m
  implicit none
  double precision :: forces = 0, moves = 0, sums = 0
  integer :: i
contains
  subroutine step()
    double precision :: part
    part = 0
    !$omp parallel do schedule(static,1) num_threads(2) reduction(+:part) ! mark: forces, disease: imbalance
    do i = 1, 2
      part = part + burn(merge(0.020d0, 0.005d0, i == 2))
    end do
    !$omp end parallel do
    forces = forces + part
    call move()
    call total()
  contains
    subroutine move()
      double precision :: own
      own = 0
      !$omp parallel num_threads(2) reduction(+:own) ! mark: moves
      own = own + burn(0.008d0)
      !$omp end parallel
      moves = moves + own
    end subroutine
  end subroutine

  subroutine total()
    double precision :: own
    own = 0
    !$omp parallel do num_threads(2) reduction(+:own) ! mark: sums
    do i = 1, 2
      own = own + burn(0.004d0)
    end do
    !$omp end parallel do
    sums = sums + own
  end subroutine
end module

program main
  use physics
  integer :: k
  double precision :: start
  start = omp_get_wtime()
  do k = 1, 25
    call step()
  end do
  call truth('work@forces', forces)
  call truth('work@moves', moves)
  call truth('work@sums', sums)
  call truth('imbalance@forces', 25 * 0.015d0)
  call truth('elapsed', omp_get_wtime() - start)
end program
