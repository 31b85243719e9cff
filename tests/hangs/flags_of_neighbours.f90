! Each thread raises a flag for the next one and waits until that takes it down. The last one has no
! work and leaves.
! @kind: spins
! @says: waits in that loop too
! @stock: spins
! @alone
module chain
  use omp_lib
  implicit none
  integer :: flags(0:15)
contains
  subroutine take(me)
    integer, intent(in) :: me
    integer :: now
    do
      !$omp atomic read
      now = flags(me - 1)
      if (now /= 0) exit
    end do
    !$omp atomic write
    flags(me - 1) = 0 ! <B>
  end subroutine
  subroutine hand_on(me)
    integer, intent(in) :: me
    integer :: now
    !$omp atomic write
    flags(me) = 1 ! <B>
    do
      !$omp atomic read
      now = flags(me) ! <A>
      if (now == 0) exit ! <A>
    end do
  end subroutine
  subroutine step(me, work, last)
    integer, intent(in) :: me, work, last
    if (work == 0) return
    if (me > 0) call take(me)
    if (me < last) call hand_on(me)
  end subroutine
end module

program main
  use chain
  implicit none
  interface
    integer(c_int) function alarm(seconds) bind(c)
      use, intrinsic :: iso_c_binding
      integer(c_int), value :: seconds
    end function
  end interface
  integer :: me, round, left
  left = alarm(240)
  flags = 0
  print '(a)', 'ready'
  flush (6)
  !$omp parallel num_threads(4) private(me, round)
  me = omp_get_thread_num()
  do round = 1, 5
    call step(me, 3 - me, 3)
  end do
  !$omp end parallel
end program
