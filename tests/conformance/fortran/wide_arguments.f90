! The routines' second names, for programs whose default integer has 8 bytes.
! @flags: -fdefault-integer-8
! @compilers: gfortran — flang 19's omp_lib has the 4-byte names only
program wide_arguments
    use omp_lib
    implicit none
    integer(8) :: failures = 0
    integer(8) :: n
    n = 5
    call omp_set_num_threads(n)
    if (.not. (omp_get_max_threads() == 5)) stop 1
    call omp_set_max_active_levels(2_8)
    if (.not. (omp_get_max_active_levels() == 2)) stop 1
    call omp_set_dynamic(.false._8)
    if (.not. (.not. omp_get_dynamic())) stop 1
    n = 0
    !$omp parallel reduction(+:n)
    n = n + omp_get_ancestor_thread_num(1_8) + omp_get_team_size(1_8)
    !$omp end parallel
    if (.not. (n == 35)) stop 1
    n = 0
    !$omp parallel do schedule(dynamic) reduction(+:n)
    do failures = 1, 100
        n = n + failures
    end do
    !$omp end parallel do
    if (.not. (n == 5050)) stop 1
    print '(a)', 'ok'
end program wide_arguments
