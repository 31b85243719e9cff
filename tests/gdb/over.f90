! Loops that are stepped over.
program over
  implicit none
  integer, parameter :: n = 12
  real(8) :: a(n), b(n)
  integer :: i, j
  a = 1
  b = 2
  !$omp parallel num_threads(2) shared(a, b) private(i, j)
  print *, 'region'
  print *, 'loops' ! begins
  !$omp do
  do i = 1, n
    a(i) = a(i) + i ! in static
    b(i) = a(i) + 1
  end do
  !$omp end do
  print *, 'static' ! behind static
  !$omp do schedule(dynamic)
  do i = 1, n
    a(i) = a(i) + i ! in dynamic
  end do
  print *, 'dynamic' ! behind dynamic
  !$omp do collapse(2)
  do i = 1, 3
    do j = 1, 4
      a(i) = b(j) ! in collapsed
    end do
  end do
  print *, 'collapsed' ! behind collapsed
  !$omp end parallel
  print *, sum(a)
end program
