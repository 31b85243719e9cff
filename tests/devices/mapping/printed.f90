! The host prints what a region has changed: the language's library reads it.
! @finds: stale-on-host stress
program printed
  implicit none
  real, allocatable :: stress(:)
  integer :: i
  allocate(stress(40))
  stress = 1
  !$omp target enter data map(to: stress)
  !$omp target
  do i = 1, 40
    stress(i) = stress(i) * 3
  end do
  !$omp end target
  print *, stress(5)  ! @here
  !$omp target exit data map(delete: stress)
end program
