! Two elements of an array of locks in a circle.
! @kind: lock-cycle
! @says: the lock 'locks(5)', which thread 1 holds
! @also: -O0
! LLVM's compiler makes one call of two that stand in branches: it has no line but the region's.
program dining
  use omp_lib
  implicit none
  integer(omp_lock_kind), save :: locks(6)
  integer :: i
  do i = 1, 6
    call omp_init_lock(locks(i))
  end do
  print '(a)', 'ready'
  flush(6)
  !$omp parallel num_threads(2) ! <A>
  if (omp_get_thread_num() == 0) then
    call omp_set_lock(locks(3))
  else
    call omp_set_lock(locks(5))
  end if
  !$omp barrier
  if (omp_get_thread_num() == 0) then
    call omp_set_lock(locks(5)) ! <A>
  else
    call omp_set_lock(locks(3)) ! <A>
  end if
  !$omp end parallel
end program
