! A reduction of a large array, often and with little work: threads wait to add their copies.
include 'truth.inc'

program main
  use truth_m
  integer, parameter :: n = 300000
  double precision :: total(n), start
  integer :: i, k, step
  total = 0
  start = omp_get_wtime()
  do step = 1, 1500
    !$omp parallel do num_threads(2) reduction(+:total) ! mark: region, disease: hot-mutex
    do i = 1, 8
      do k = 1, n, 400
        total(k) = total(k) + i
      end do
    end do
  end do
  call truth('elapsed', omp_get_wtime() - start)
  if (sum(total) <= 0) stop 1
end program
