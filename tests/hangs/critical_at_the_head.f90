! A procedure that begins with a critical section calls itself in it.
! @kind: critical-in-critical
! @says: the critical section 'grid'
program head
  implicit none
  print '(a)', 'ready'
  flush(6)
  !$omp parallel num_threads(2)
  call smooth(2)
  !$omp end parallel
contains
  recursive subroutine smooth(level)
    integer, intent(in) :: level
    ! What flang gives the line of the head.
    !
    !$omp critical (grid) ! <A>
    if (level > 0) call smooth(level - 1) ! <B>
    !$omp end critical (grid)
  end subroutine smooth
end program head
