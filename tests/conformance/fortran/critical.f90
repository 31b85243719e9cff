! critical, named and unnamed; barrier.
program critical
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, n, a, b, arrived
    n = omp_get_max_threads()
    a = 0; b = 0; arrived = 0
    !$omp parallel private(i)
    do i = 1, 500
        !$omp critical
        a = a + 1
        !$omp end critical
        !$omp critical (named)
        b = b + 1
        !$omp end critical (named)
    end do
    !$omp atomic
    arrived = arrived + 1
    !$omp barrier
    call check(arrived == n, 'barrier')
    !$omp end parallel
    call check(a == 500*n, 'unnamed')
    call check(b == 500*n, 'named')
    call check_done()
contains
    include 'check.inc'
end program critical
