! parallel: every thread once; if and num_threads clauses; default(none), firstprivate.
program parallel
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: n, count, i, given
    n = omp_get_max_threads()
    count = 0
    given = 7
    !$omp parallel default(none) shared(count, n, failures) firstprivate(given)
    call check(omp_get_num_threads() == n, 'team size')
    call check(given == 7, 'firstprivate')
    given = omp_get_thread_num()
    !$omp atomic
    count = count + 1
    !$omp end parallel
    call check(count == n, 'every thread once')
    do i = 1, 6
        count = 0
        !$omp parallel num_threads(i) reduction(+:count)
        count = count + omp_get_num_threads()
        !$omp end parallel
        call check(count == i*i, 'num_threads')
    end do
    !$omp parallel if(n < 0)
    call check(omp_get_num_threads() == 1, 'if')
    !$omp end parallel
    call check(.not. omp_in_parallel(), 'outside')
    call check_done()
contains
    include 'check.inc'
end program parallel
