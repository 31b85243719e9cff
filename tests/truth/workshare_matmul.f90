! A workshare whose function one thread calls, while the other waits.
include 'truth.inc'

program main
  use truth_m
  double precision, save :: a(600, 600), b(600, 600), c(600, 600)
  double precision :: start, work
  integer :: k
  start = omp_get_wtime()
  work = 0
  a = 1
  b = 2
  !$omp parallel num_threads(2) private(k) reduction(+:work) ! mark: region, disease: imbalance
  do k = 1, 15
    !$omp workshare ! mark: workshare
    c = matmul(a, b)
    a = c / 1200
    !$omp end workshare
    work = work + burn(0.002d0)
    !$omp barrier
  end do
  !$omp end parallel
  call truth('elapsed', omp_get_wtime() - start)
end program
