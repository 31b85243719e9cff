! The routines of omp_lib, with arguments by reference and default logicals.
program routines
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: n, chunk
    integer(omp_sched_kind) :: kind
    real(8) :: before
    n = omp_get_max_threads()
    call check(omp_get_num_threads() == 1, 'one thread outside')
    call check(omp_get_thread_num() == 0, 'thread 0 outside')
    call check(omp_get_num_procs() >= 1, 'processors')
    call check(omp_get_thread_limit() >= 1, 'limit')
    call check(.not. omp_in_parallel(), 'not in parallel')
    call check(.not. omp_in_final(), 'not in final')
    call check(omp_get_level() == 0 .and. omp_get_active_level() == 0, 'level')
    call omp_set_num_threads(3)
    call check(omp_get_max_threads() == 3, 'set_num_threads')
    call omp_set_dynamic(.true.)
    call check(omp_get_dynamic(), 'dynamic')
    call omp_set_dynamic(.false.)
    call check(.not. omp_get_dynamic(), 'not dynamic')
    call omp_set_max_active_levels(2)
    call check(omp_get_max_active_levels() == 2, 'max_active_levels')
    call omp_set_schedule(omp_sched_guided, 5)
    call omp_get_schedule(kind, chunk)
    call check(kind == omp_sched_guided .and. chunk == 5, 'schedule')
    before = omp_get_wtime()
    call check(before > 0 .and. omp_get_wtick() > 0, 'wtime')
    call check(omp_get_wtime() >= before, 'wtime grows')
    call check(omp_is_initial_device(), 'initial device')
    !$omp parallel
    call check(omp_get_num_threads() == 3, 'team of three')
    call check(omp_in_parallel(), 'in parallel')
    call check(omp_get_ancestor_thread_num(1) == omp_get_thread_num(), 'ancestor')
    call check(omp_get_team_size(1) == 3, 'team size')
    !$omp parallel num_threads(2)
    call check(omp_get_level() == 2, 'level 2')
    call check(omp_get_num_threads() == 2, 'nested')
    !$omp end parallel
    !$omp end parallel
    call omp_set_num_threads(n)
    call check_done()
contains
    include 'check.inc'
end program routines
