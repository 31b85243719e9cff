! Regions that nobody waits for, each with its own column of one array: gfortran passes the pointers
! to them in one place, one after the other.
program columns
  implicit none
  integer, parameter :: rows = 64, count = 16
  integer :: x, y, again, wrong
  integer(8) :: work(rows, count)
  wrong = 0
  do again = 1, 20
    work = 0
    do x = 1, count
      !$omp target map(tofrom: work(1:rows, x)) nowait
      do y = 1, rows
        work(y, x) = work(y, x) + x * y
      end do
      !$omp end target
    end do
    !$omp taskwait
    do x = 1, count
      do y = 1, rows
        if (work(y, x) /= x * y) wrong = wrong + 1
      end do
    end do
  end do
  print *, 'wrong', wrong
end program columns
