! A subroutine returns without giving its lock back, in one region; the next region wants it.
! @kind: barrier-in-cycle
! @says: the lock 'lock(2)' of main program, which thread 1 holds (
! @also: -O0
program leaked_lock
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: lock(3)
  integer :: i, n
  n = 0
  do i = 1, 3
    call omp_init_lock(lock(i))
  end do
  print '(a)', 'ready'
  flush(6)
  !$omp parallel do num_threads(3) schedule(static, 1)
  do i = 1, 3
    call update(i)
  end do
  !$omp parallel do num_threads(3) schedule(static, 1) ! <B>
  do i = 1, 3
    call update(mod(i, 3) + 1)
  end do
  print *, n
contains
  subroutine update(part)
    integer, intent(in) :: part
    ! It is not given back on each way.
    !
    !
    call omp_set_lock(lock(part)) ! <A>
    if (part == 2) return
    !$omp atomic
    n = n + 1
    call omp_unset_lock(lock(part))
  end subroutine update
end program leaked_lock
