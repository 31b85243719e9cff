! A static loop whose iterations grow.
include 'truth.inc'

program main
  use truth_m
  double precision :: work, start
  integer :: i, k
  work = 0
  start = omp_get_wtime()
  do k = 1, 10
    !$omp parallel num_threads(2) reduction(+:work) ! mark: region, disease: imbalance
    !$omp do schedule(static)
    do i = 1, 10
      work = work + burn(0.001d0 * i)
    end do
    !$omp end do
    !$omp end parallel
  end do
  call truth('work@region', work)
  call truth('instances@region', 10d0)
  call truth('elapsed', omp_get_wtime() - start)
end program
