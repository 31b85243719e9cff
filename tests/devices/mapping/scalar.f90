! A scalar that is allocated has its own name, and is no array.
! @finds: stale-on-device factor
! @says: the region reads `factor`,
program scalar
  implicit none
  real, allocatable :: factor
  real :: values(4)
  allocate (factor)
  factor = 2
  values = 1
  !$omp target enter data map(to: factor)
  factor = 3
  !$omp target map(tofrom: values) map(to: factor)
  values = values*factor ! @here
  !$omp end target
  !$omp target exit data map(release: factor)
  print *, values
  deallocate (factor)
end program
