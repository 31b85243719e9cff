! Two regions in a loop of the main program, with serial work and a barrier for latecomers.
include 'truth.inc'

program main
  use truth_m
  double precision :: work, serial, late, start, part
  integer :: k
  work = 0
  serial = 0
  late = 0
  start = omp_get_wtime()
  do k = 1, 15
    serial = serial + burn(0.004d0)
    part = 0
    !$omp parallel num_threads(2) reduction(+:part) ! mark: first
    part = part + burn(0.006d0)
    !$omp end parallel
    work = work + part
    part = 0
    !$omp parallel num_threads(2) reduction(+:part) ! mark: second, disease: imbalance
    if (omp_get_thread_num() == 0) part = part + burn(0.016d0)
    !$omp barrier ! mark: barrier
    part = part + burn(0.002d0)
    !$omp end parallel
    late = late + part
  end do
  call truth('serial', serial)
  call truth('work@first', work)
  call truth('work@second', late)
  call truth('wait@barrier', 15 * 0.016d0)
  call truth('imbalance@second', 15 * 0.016d0)
  call truth('instances@barrier', 15d0)
  call truth('elapsed', omp_get_wtime() - start)
end program
