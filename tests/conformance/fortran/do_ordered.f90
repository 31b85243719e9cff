! do ordered and do collapse.
program do_ordered
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, j, next
    integer :: grid(8, 9)
    next = 1
    !$omp parallel do ordered schedule(dynamic)
    do i = 1, 200
        !$omp ordered
        call check(next == i, 'order')
        next = i + 1
        !$omp end ordered
    end do
    !$omp end parallel do
    call check(next == 201, 'all')
    next = 1
    !$omp parallel do ordered schedule(static, 2)
    do i = 1, 100
        !$omp ordered
        call check(next == i, 'order of static')
        next = i + 1
        !$omp end ordered
    end do
    !$omp end parallel do
    grid = 0
    !$omp parallel do collapse(2) schedule(dynamic, 4)
    do i = 1, 8
        do j = 1, 9
            grid(i, j) = grid(i, j) + i*j
        end do
    end do
    !$omp end parallel do
    call check(sum(grid) == 36*45, 'collapse')
    call check_done()
contains
    include 'check.inc'
end program do_ordered
