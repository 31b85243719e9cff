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
    call expect(omp_get_max_threads() == 5)
    call omp_set_max_active_levels(2_8)
    call expect(omp_get_max_active_levels() == 2)
    call omp_set_dynamic(.false._8)
    call expect(.not. omp_get_dynamic())
    n = 0
    !$omp parallel reduction(+:n)
    n = n + omp_get_ancestor_thread_num(1_8) + omp_get_team_size(1_8)
    !$omp end parallel
    call expect(logical(n == 35, 4))
    n = 0
    !$omp parallel do schedule(dynamic) reduction(+:n)
    do failures = 1, 100
        n = n + failures
    end do
    !$omp end parallel do
    call expect(logical(n == 5050, 4))
    print '(a)', 'ok'
contains
    subroutine expect(condition)
        logical(4), intent(in) :: condition
        if (.not. condition) stop 1
    end subroutine expect
end program wide_arguments
