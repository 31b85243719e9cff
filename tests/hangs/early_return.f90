! A subroutine returns early, before its barrier, in one member of the team.
! @kind: barrier-not-met
! @says: They parted at barrier 1 of the region
module solver
  use omp_lib
  implicit none
  real(8) :: field(400) = 1
contains
  subroutine relax(part)
    integer, intent(in) :: part
    if (part == 2) return ! <A>
    !$omp barrier ! <A>
    field(part + 1) = 2
  end subroutine relax
  subroutine update()
    !$omp atomic
    field(10) = field(10) + 1
    !$omp barrier ! <B>
  end subroutine update
end module solver

program early_return
  use solver
  implicit none
  interface
    integer(c_int) function alarm(seconds) bind(c)
      use, intrinsic :: iso_c_binding
      integer(c_int), value :: seconds
    end function alarm
  end interface
  integer :: left
  left = alarm(240)
  print '(a)', 'ready'
  flush(6)
  !$omp parallel num_threads(4) ! <B>
  call relax(omp_get_thread_num())
  call update()
  !$omp end parallel
  if (field(1) < 0) print *, left
end program early_return
