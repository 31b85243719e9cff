! The first element is not in the section that is mapped.
! @finds: beyond-section x
program part
  implicit none
  integer :: x(40), total, i
  x = 1
  total = 0
  !$omp target map(to: x(2:40)) map(tofrom: total)
  do i = 1, 40
    total = total + x(i) ! @here
  end do
  !$omp end target
  print *, total
end program
