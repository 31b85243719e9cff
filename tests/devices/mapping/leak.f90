! Nothing ends what enter data began.
! @finds: never-unmapped grid
subroutine smooth(grid, n)
  implicit none
  integer :: n
  real :: grid(n)
  !$omp target enter data map(to: grid) ! @here
  !$omp target map(tofrom: grid)
  grid(1) = 2
  !$omp end target
end subroutine

program leaks
  implicit none
  real :: values(25)
  values = 0
  call smooth(values, 25)
end program
