! The host reads an array that the region has changed on the device alone.
! @finds: stale-on-host a
program stale
  implicit none
  integer :: a(20), i
  a = 0
  !$omp target map(to: a)
  do i = 1, 20
    a(i) = i
  end do
  !$omp end target
  if (a(7) == 7) print *, 'shared' ! @here
end program
