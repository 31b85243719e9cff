! An orphaned loop whose barrier is the last thing that its subroutine does, called in a critical.
! @kind: barrier-in-cycle
! @says: assemble
! @also: -O2
module fem
  implicit none
  real(8) :: k(100) = 0
contains
  subroutine assemble(e)
    integer, intent(in) :: e
    integer :: i
    !$omp do ! <A>
    do i = 1, 100 ! <A>
      k(i) = k(i) + e
    end do
    !$omp end do ! <A>
  end subroutine assemble
  subroutine element(e) ! <B>
    integer, intent(in) :: e
    !$omp critical (matrix) ! <B>
    call assemble(e)
    k(1) = k(1) + e
    !$omp end critical (matrix)
  end subroutine element
end module fem
program orphan_left_by_jump
  use fem
  implicit none
  integer :: e
  print '(a)', 'ready'
  flush(6)
  !$omp parallel num_threads(3) private(e)
  do e = 1, 10
    call element(e)
  end do
  !$omp end parallel
  print *, k(1)
end program orphan_left_by_jump
