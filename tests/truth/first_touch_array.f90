! An array is allocated and filled in each step, which is the kernel's work nearly all, and then a
! third as long is computed, outside of any region.
include 'truth.inc'

module steps
  use truth_m
  implicit none
contains
  subroutine fill(size, total)
    integer, intent(in) :: size
    double precision, intent(inout) :: total
    double precision, allocatable :: a(:)
    allocate (a(size))
    a = 1.5d0 ! disease: serial-time
    total = total + a(size / 2)
    deallocate (a)
  end subroutine
end module

program first_touch_array
  use steps
  implicit none
  double precision :: begin, from, total, serial, own
  integer :: step
  begin = omp_get_wtime()
  total = 0
  serial = 0
  own = 0
  do step = 1, 6
    from = omp_get_wtime()
    call fill(6000000, total)
    total = total + burn((omp_get_wtime() - from) / 3)
    serial = serial + omp_get_wtime() - from
    !$omp parallel num_threads(2) reduction(+:own) ! mark: region
    own = own + burn(0.005d0)
    !$omp end parallel
  end do
  call truth('serial', serial)
  call truth('work@region', own)
  call truth('elapsed', omp_get_wtime() - begin)
  if (total < 0) print *, total
end program
