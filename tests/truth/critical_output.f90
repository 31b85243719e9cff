! Each iteration writes a record inside of a named critical region.
include 'truth.inc'

program main
  use truth_m
  double precision :: work, wait, asked, start
  integer :: i, k
  work = 0
  wait = 0
  open (unit=9, status='scratch', form='unformatted')
  start = omp_get_wtime()
  do k = 1, 5
    !$omp parallel do schedule(dynamic,1) num_threads(2) private(asked) & ! mark: region
    !$omp reduction(+:work, wait)
    do i = 1, 20
      work = work + burn(0.001d0)
      asked = omp_get_wtime()
      !$omp critical (output) ! mark: output, disease: hot-mutex
      wait = wait + omp_get_wtime() - asked
      work = work + burn(0.004d0)
      write (9) work
      flush (9)
      !$omp end critical (output)
    end do
    !$omp end parallel do
  end do
  call truth('work@region', work)
  call truth('mutex_wait@region', wait)
  call truth('acquisitions@output', 100d0)
  call truth('elapsed', omp_get_wtime() - start)
end program
