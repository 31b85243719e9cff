! Regions in a generic interface's procedures, and in an internal procedure of a module's.
include 'truth.inc'

module fields
  use truth_m
  interface advance
    module procedure advance_real, advance_integer
  end interface
contains
  subroutine advance_real(total, amount)
    double precision, intent(inout) :: total
    double precision, intent(in) :: amount
    double precision :: part
    part = 0
    !$omp parallel num_threads(2) reduction(+:part) ! mark: real
    part = part + burn(amount)
    !$omp end parallel
    total = total + part
  end subroutine

  subroutine advance_integer(total, times)
    double precision, intent(inout) :: total
    integer, intent(in) :: times
    double precision :: part
    integer :: i
    part = 0
    !$omp parallel do num_threads(2) schedule(dynamic, 1) reduction(+:part) ! mark: integer
    do i = 1, times
      part = part + burn(0.001d0)
    end do
    total = total + part
  end subroutine

  subroutine both(total)
    double precision, intent(inout) :: total
    call inner()
  contains
    subroutine inner()
      double precision :: part
      part = 0
      !$omp parallel num_threads(2) reduction(+:part) ! mark: internal
      part = part + burn(0.002d0)
      !$omp end parallel
      total = total + part
    end subroutine
  end subroutine
end module

program main
  use fields
  double precision :: start, first, second, third
  integer :: i
  start = omp_get_wtime()
  first = 0
  second = 0
  third = 0
  do i = 1, 50
    call advance(first, 0.003d0)
    call advance(second, 4)
    call both(third)
  end do
  call truth('work@real', first)
  call truth('instances@real', 50d0)
  call truth('work@integer', second)
  call truth('instances@integer', 50d0)
  call truth('work@internal', third)
  call truth('instances@internal', 50d0)
  call truth('elapsed', omp_get_wtime() - start)
end program
