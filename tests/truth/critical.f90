! A named critical construct that two threads want most of the time.
include 'truth.inc'

program main
  use truth_m
  double precision :: work, waited, asked, start
  integer :: k
  work = 0
  waited = 0
  start = omp_get_wtime()
  !$omp parallel num_threads(2) private(k, asked) reduction(+:work, waited) ! mark: region
  do k = 1, 40
    work = work + burn(0.002d0)
    asked = omp_get_wtime()
    !$omp critical (tally) ! mark: tally, disease: hot-mutex
    waited = waited + omp_get_wtime() - asked
    work = work + burn(0.008d0)
    !$omp end critical (tally)
  end do
  !$omp end parallel
  call truth('work@region', work)
  call truth('lock_wait@tally', waited)
  call truth('acquisitions@tally', 80d0)
  call truth('elapsed', omp_get_wtime() - start)
end program
