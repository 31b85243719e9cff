! do under every schedule, with positive and negative steps and 8-byte counters.
program do_schedules
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, total
    integer(8) :: k, wide
    integer :: times(500)
    times = 0
    !$omp parallel
    !$omp do schedule(static)
    do i = 1, 500
        times(i) = times(i) + 1
    end do
    !$omp end do
    !$omp do schedule(static, 7)
    do i = 1, 500
        times(i) = times(i) + 1
    end do
    !$omp end do
    !$omp do schedule(dynamic)
    do i = 500, 1, -1
        times(i) = times(i) + 1
    end do
    !$omp end do
    !$omp do schedule(dynamic, 9)
    do i = 1, 500
        times(i) = times(i) + 1
    end do
    !$omp end do
    !$omp do schedule(guided)
    do i = 1, 500
        times(i) = times(i) + 1
    end do
    !$omp end do
    !$omp do schedule(runtime)
    do i = 1, 500
        times(i) = times(i) + 1
    end do
    !$omp end do
    !$omp end parallel
    call check(all(times == 6), 'every iteration once a loop')
    total = 0
    !$omp parallel do reduction(+:total) schedule(dynamic, 3)
    do i = 100, -100, -7
        total = total + i
    end do
    !$omp end parallel do
    call check(total == sum([(i, i=100, -100, -7)]), 'negative step')
    wide = 0
    !$omp parallel do reduction(+:wide) schedule(guided)
    do k = 5000000000_8, 5000000999_8
        wide = wide + (k - 5000000000_8)
    end do
    !$omp end parallel do
    call check(wide == 499500_8, '8-byte counter')
    total = 0
    !$omp parallel do reduction(+:total)
    do i = 10, 1
        total = total + 1
    end do
    !$omp end parallel do
    call check(total == 0, 'zero trip')
    call check_done()
contains
    include 'check.inc'
end program do_schedules
