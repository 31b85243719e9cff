! A subroutine returns for a full list before it gives the list's lock back.
! @kind: barrier-in-cycle
! @says: has a way out at
! @also: -O0
module particles
  use omp_lib
  implicit none
  integer, parameter :: most = 4
  integer(omp_lock_kind) :: list_lock
  integer :: list(most) = 0
  integer :: used = 0
contains
  subroutine append(value, status)
    integer, intent(in) :: value
    integer, intent(out) :: status
    call omp_set_lock(list_lock) ! <A>
    if (used >= most) then
      status = 1
      return ! <B>
    end if
    used = used + 1
    list(used) = value
    status = 0
    call omp_unset_lock(list_lock)
  end subroutine append
end module particles

program left_locked_unit
  use particles
  implicit none
  interface
    integer(c_int) function alarm(seconds) bind(c)
      use, intrinsic :: iso_c_binding
      integer(c_int), value :: seconds
    end function alarm
  end interface
  integer :: me, at, status, left
  left = alarm(240)
  call omp_init_lock(list_lock)
  print '(a)', 'ready'
  flush(6)
  !$omp parallel num_threads(3) private(me, at, status)
  me = omp_get_thread_num()
  if (me == 1) then
    do at = 1, 5
      call append(at, status)
    end do
  end if
  !$omp barrier
  if (me == 2) call append(9, status)
  !$omp barrier
  !$omp end parallel
  call omp_destroy_lock(list_lock)
  print *, used, left
end program left_locked_unit
