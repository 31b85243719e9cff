! An allocatable array is mapped in the wrong direction.
! @finds: never-written-on-device x
program direction
  implicit none
  real, allocatable :: x(:)
  real :: total
  integer :: i
  allocate(x(30))
  x = 1
  total = 0
  !$omp target map(from: x) map(tofrom: total)
  do i = 1, 30
    total = total + x(i) ! @here
  end do
  !$omp end target
  print *, total > 0
end program
