! The variables of a procedure that another one contains have their names.
! @finds: stale-on-host grid
program outer
  implicit none
  integer, parameter :: n = 16
  call inner(n)
contains
  subroutine inner(count)
    integer, intent(in) :: count
    integer :: grid(16), i
    real, allocatable :: factors(:)
    allocate (factors(count))
    grid = 1
    factors = 2
    !$omp target map(to: grid, factors)
    do i = 1, 16
      grid(i) = grid(i) + int(factors(i))
    end do
    !$omp end target
    print *, sum(grid) ! @here
  end subroutine
end program
