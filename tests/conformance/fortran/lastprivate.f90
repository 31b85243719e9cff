! lastprivate and firstprivate on do.
program lastprivate
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, last, base
    real(8) :: x
    base = 10
    !$omp parallel do lastprivate(last, x) firstprivate(base)
    do i = 1, 77
        last = i + base
        x = i * 0.5d0
    end do
    !$omp end parallel do
    call check(last == 87, 'integer')
    call check(x == 38.5d0, 'real')
    call check_done()
contains
    include 'check.inc'
end program lastprivate
