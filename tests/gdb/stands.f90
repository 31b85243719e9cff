! A worker that sleeps in the user's code, in a region of a module's subroutine.
module work
contains
  subroutine add(a, n)
    use omp_lib
    integer :: n
    real(8) :: a(n)
    real(8) :: total
    integer :: hidden
    total = 2.5
    hidden = n + 7
    !$omp parallel num_threads(2) shared(a, total)
    if (omp_get_thread_num() == 1) call park(a, n, total)
    !$omp end parallel
    print *, total, hidden
  end subroutine
  subroutine park(a, n, total)
    integer :: n
    real(8) :: a(n), total
    do
      total = total + a(1)
      call sleep(1) ! sleeps
    end do
  end subroutine
end module
program main_program
  use work
  real(8) :: a(10)
  a = 0
  a(3) = 42
  call add(a, 10)
end program
