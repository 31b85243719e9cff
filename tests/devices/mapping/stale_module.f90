! The host changes a module's array in a data region.
! @finds: stale-on-device grid
module shared_grid
  implicit none
  integer :: grid(100)
end module

program stale_module
  use shared_grid
  implicit none
  integer :: total
  grid = 1
  total = 0
  !$omp target data map(to: grid)
  grid(60) = 5
  !$omp target map(tofrom: total)
  total = total + grid(60) ! @here
  !$omp end target
  !$omp end target data
  print *, total
end program
