! Locks and nest locks through the Fortran names.
program locks
    use omp_lib
    implicit none
    integer :: failures = 0
    integer(omp_lock_kind) :: lock
    integer(omp_nest_lock_kind) :: nest
    integer :: i, n, count, inner
    n = omp_get_max_threads()
    count = 0
    inner = 0
    call omp_init_lock(lock)
    call omp_init_nest_lock(nest)
    call check(omp_test_lock(lock), 'test')
    call omp_unset_lock(lock)
    !$omp parallel private(i)
    do i = 1, 300
        call omp_set_lock(lock)
        count = count + 1
        call omp_unset_lock(lock)
        call omp_set_nest_lock(nest)
        call check(omp_test_nest_lock(nest) == 2, 'nest count')
        inner = inner + 1
        call omp_unset_nest_lock(nest)
        call omp_unset_nest_lock(nest)
    end do
    !$omp end parallel
    call check(count == 300*n, 'lock')
    call check(inner == 300*n, 'nest lock')
    call omp_destroy_lock(lock)
    call omp_destroy_nest_lock(nest)
    call check_done()
contains
    include 'check.inc'
end program locks
