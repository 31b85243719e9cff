! atomic on complex and 16-byte reals: too wide for one instruction.
! @compilers: gfortran — flang 19 does not lower these
program atomic_wide
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, n
    complex(4) :: c
    complex(8) :: z
    real(10) :: x
    real(16) :: q
    n = omp_get_max_threads()
    c = 0; z = 0; x = 0; q = 0
    !$omp parallel private(i)
    do i = 1, 200
        !$omp atomic
        c = c + (1.0, 2.0)
        !$omp atomic
        z = z + (1.0d0, -1.0d0)
        !$omp atomic
        x = x + 0.5_10
        !$omp atomic
        q = q - 0.25_16
    end do
    !$omp end parallel
    call check(c == cmplx(200.0*n, 400.0*n), 'complex')
    call check(z == cmplx(200.0d0*n, -200.0d0*n, 8), 'double complex')
    call check(x == 100.0_10*n, 'real(10)')
    call check(q == -50.0_16*n, 'real(16)')
    call check_done()
contains
    include 'check.inc'
end program atomic_wide
