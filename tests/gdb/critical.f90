! A critical section of three threads.
program main_program
  use omp_lib
  integer :: i, total
  real(8) :: a(10)
  total = 40
  a = 1
  !$omp parallel num_threads(3) private(i) shared(a, total)
  i = omp_get_thread_num()
  !$omp critical
  total = total + 2 ! in critical
  a(i + 1) = total
  !$omp end critical
  !$omp end parallel
  print *, total
end program
