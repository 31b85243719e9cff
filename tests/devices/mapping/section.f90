! A part of the array is mapped; the region uses more of it.
! @finds: beyond-section a
program section
  implicit none
  integer, allocatable :: a(:)
  integer :: i
  allocate(a(40))
  a = 1
  !$omp target map(tofrom: a(1:10))
  do i = 1, 40
    a(i) = a(i) + 1 ! @here
  end do
  !$omp end target
  print *, a(2)
end program
