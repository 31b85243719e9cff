! What is mapped is deallocated.
! @finds: freed-while-mapped x
program deallocated
  implicit none
  real, allocatable :: x(:)
  allocate(x(5000))
  x = 1
  !$omp target enter data map(to: x)
  !$omp target
  x(3) = 4
  !$omp end target
  deallocate(x) ! @here
  print *, 'done'
end program
