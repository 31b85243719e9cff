! Regions of module procedures, which two ways lead to. gfortran puts the procedures in line, and
! gives the call of a region the place of what stood before it.

module kernels
  implicit none
  double precision :: forces = 0, fluxes = 0
contains
  subroutine force(n, a)
    integer, intent(in) :: n
    double precision, intent(inout) :: a(n)
    double precision :: part
    integer :: i, k
    part = 0
    !$omp parallel num_threads(2) reduction(+:part)   ! mark: force
    !$omp do private(k)
    do i = 1, n
      do k = 1, 3000
        a(i) = a(i) * 0.5d0 + i
      end do
      part = part + a(i)
    end do
    !$omp end do
    !$omp end parallel
    forces = forces + part
  end subroutine

  subroutine flux(n, a, b, c, d, e, f, g)
    integer, intent(in) :: n
    double precision, intent(inout) :: a(n), b(n), c(n), d(n), e(n), f(n), g(n)
    double precision :: part
    integer :: i, k
    part = 0
    !$omp parallel num_threads(2) reduction(+:part)   ! mark: flux
    !$omp do private(k)
    do i = 1, n
      do k = 1, 1000
        a(i) = a(i) * 0.5d0 + b(i) + c(i) * d(i) + e(i) * f(i) + g(i)
      end do
      part = part + a(i)
    end do
    !$omp end do
    !$omp end parallel
    fluxes = fluxes + part
  end subroutine
end module

module drivers
  use kernels
  implicit none
contains
  subroutine advance(n, a, b, c)
    integer, intent(in) :: n
    double precision, intent(inout) :: a(n), b(n), c(n)
    call force(n, a)                ! mark: advance_force
    call flux(n, a, b, c, b, c, b, c)   ! mark: advance_flux
  end subroutine

  subroutine finish(n, a)
    integer, intent(in) :: n
    double precision, intent(inout) :: a(n)
    call force(n, a)                ! mark: finish_force
    a = a + 1
  end subroutine
end module

include 'truth.inc'

program main
  use truth_m
  use drivers
  integer, parameter :: n = 3000
  double precision :: a(n), b(n), c(n)
  integer :: k
  a = 1
  b = 2
  c = 3
  do k = 1, 30
    call advance(n, a, b, c)
    call finish(n, a)
  end do
  call truth('instances@force', 60d0)
  call truth('instances@flux', 30d0)
  call truth('callers@force', 2d0)
  call truth('callers@flux', 1d0)
  if (forces + fluxes < 0) print *, a
end program
