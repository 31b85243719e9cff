! Nested regions with worksharing inside.
program nested
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: total, i
    total = 0
    call omp_set_max_active_levels(2)
    !$omp parallel num_threads(2) reduction(+:total)
    !$omp parallel do num_threads(3) reduction(+:total) schedule(dynamic)
    do i = 1, 50
        total = total + i
    end do
    !$omp end parallel do
    !$omp end parallel
    call check(total == 2*1275, 'both teams did the loop')
    call check_done()
contains
    include 'check.inc'
end program nested
