! As control.c: what is measured is one region of three.
program control
  use omp_lib
  implicit none
  integer(omp_control_tool_kind) :: command
  integer(omp_control_tool_kind) :: modifier = 0
  real(8) :: began
  integer :: answer, i
  answer = omp_control_tool(omp_control_tool_pause, modifier)
  print '(a, i0)', 'pause ', answer
  !$omp parallel do num_threads(2)  ! unmeasured
  do i = 1, 2
    call burn(0.1d0)
  end do
  answer = omp_control_tool(omp_control_tool_start, modifier)
  print '(a, i0)', 'start ', answer
  began = omp_get_wtime()
  !$omp parallel do num_threads(2)  ! measured
  do i = 1, 2
    call burn(0.2d0)
  end do
  print '(a, f0.6)', 'elapsed ', omp_get_wtime() - began
  answer = omp_control_tool(omp_control_tool_end, modifier)
  print '(a, i0)', 'end ', answer
  !$omp parallel do num_threads(2)  ! unmeasured
  do i = 1, 2
    call burn(0.1d0)
  end do
contains
  subroutine burn(seconds)
    real(8), intent(in) :: seconds
    real(8) :: until
    until = omp_get_wtime() + seconds
    do while (omp_get_wtime() < until)
    end do
  end subroutine
end program
