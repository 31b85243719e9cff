! Each image makes as many steps as it has blocks, and a barrier in each: one has fewer blocks.
! @kind: barrier-not-met
! @says: in a loop, which ends at
! @also: -O0
module blocks
  implicit none
  integer, parameter :: of_member(0:3) = [5, 5, 4, 5]
  real(8) :: sums(0:3) = 0
contains
  subroutine step(member, block)
    integer, intent(in) :: member, block
    sums(member) = sums(member) + 1.0d0 / block ! <A>
  end subroutine step
end module blocks

program skips_barrier_trips
  use omp_lib
  use blocks
  implicit none
  interface
    integer(c_int) function alarm(seconds) bind(c)
      use, intrinsic :: iso_c_binding
      integer(c_int), value :: seconds
    end function alarm
  end interface
  integer :: me, block, left
  left = alarm(240)
  print '(a)', 'ready'
  flush(6)
  !$omp parallel num_threads(4) private(me, block)
  me = omp_get_thread_num()
  do block = 1, of_member(me) ! <B>
    call step(me, block) ! <A>
    !$omp barrier ! <A>
  end do
  !$omp end parallel
  print *, sums, left
end program skips_barrier_trips
