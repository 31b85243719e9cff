! Constructs on a device whose copies are known to the byte.
! @env: OMPHALOS_DEVICES=host
! @compilers: gfortran — flang makes no code for devices without a toolchain for one
include 'truth.inc'

program main
  use truth_m
  double precision :: a(500), b(500), start, took, inside
  integer :: k
  start = omp_get_wtime()
  a = 1
  b = 0
  inside = 0
  !$omp target data map(to: a) map(from: b) ! mark: data
  do k = 1, 8
    !$omp target map(from: took) ! mark: kernel
    took = burn(0.01d0)
    b = a + k
    !$omp end target
    inside = inside + took
    !$omp target update from(b(1:100)) ! mark: update
  end do
  !$omp end target data
  call truth('bytes_to@data', 4000d0)
  call truth('bytes_from@data', 4000d0)
  call truth('kernels@kernel', 8d0)
  call truth('kernel@kernel', inside)
  call truth('bytes_from@kernel', 64d0)
  call truth('copies_from@update', 8d0)
  call truth('bytes_from@update', 6400d0)
  call truth('elapsed', omp_get_wtime() - start)
  if (any(b /= 9)) stop 1
end program
