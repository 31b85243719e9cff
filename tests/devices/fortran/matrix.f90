! Matrices by columns and as a whole, with bounds of their own, in subroutines and in loops of time.
program matrix
  implicit none
  integer, parameter :: n = 24
  double precision :: a(0:n, -1:n), b(0:n, -1:n)
  integer :: i, j, step
  a = 1
  b = 0
  !$omp target data map(tofrom: a) map(alloc: b)
  do step = 1, 4
    !$omp target teams distribute parallel do collapse(2)
    do j = -1, n
      do i = 0, n
        b(i, j) = a(i, j) + i
      end do
    end do
    !$omp target teams distribute parallel do
    do j = -1, n
      a(:, j) = b(:, j) + j
    end do
  end do
  !$omp target update from(a(:, 3))
  print '(f10.2)', a(4, 3)
  !$omp end target data
  !$omp target map(tofrom: a(:, 5:7))
  a(:, 6) = 2 * a(:, 5)
  !$omp end target
  print '(2f12.2)', sum(a), a(1, 6)
end program
