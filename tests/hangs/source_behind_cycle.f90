! An iteration that has nothing to do leaves between its sink and its source. What a call behind that
! does changes nothing.
! @kind: sink-never-comes
! @says: has a way past the source at source_behind_cycle.f90:27: it leaves at source_behind_cycle.f90:25
! @never: leaves at source_behind_cycle.f90:26
! @alone
module waves
  implicit none
  integer, parameter :: rows = 200, width = 60
  real(8) :: heights(0:width + 1, 0:rows)
  logical :: is_dry(rows)
contains
  subroutine spread(row)
    integer, intent(in) :: row
    integer :: at
    do at = 1, width
      heights(at, row) = 0.5d0 * (heights(at - 1, row) + heights(at, row - 1))
    end do
  end subroutine
  subroutine sweep()
    integer :: row
    !$omp do ordered(1) schedule(static, 1)
    do row = 1, rows
      !$omp ordered depend(sink: row - 1) ! <A>
      if (is_dry(row)) cycle ! <B>
      call spread(row)
      !$omp ordered depend(source)
    end do
    !$omp end do
  end subroutine
end module

program main
  use waves
  implicit none
  interface
    integer(c_int) function alarm(seconds) bind(c)
      use, intrinsic :: iso_c_binding
      integer(c_int), value :: seconds
    end function
  end interface
  integer :: left
  left = alarm(240)
  heights = 1
  is_dry = .false.
  is_dry(77) = .true.
  print '(a)', 'ready'
  flush (6)
  !$omp parallel num_threads(3)
  call sweep()
  !$omp end parallel
  if (heights(1, 1) < 0) print *, left
end program
