! Locks of a procedure that another one contains: each thread wants the one that the other holds.
! @kind: lock-cycle
! @says: the lock 'second'
! @debuggers
! @also: -O0
program lock_contained
    use omp_lib
    use iso_c_binding
    implicit none
    interface
        integer(c_int) function alarm(seconds) bind(c)
            import
            integer(c_int), value :: seconds
        end function
    end interface
    integer :: times
    times = alarm(240_c_int)
    call work
contains
    subroutine work
        integer(omp_lock_kind) :: first, second
        call omp_init_lock(first)
        call omp_init_lock(second)
        times = times + 1
        print '(a)', 'ready'
        flush (6)
        !$omp parallel num_threads(2)
        if (omp_get_thread_num() == 0) call omp_set_lock(first)
        if (omp_get_thread_num() == 1) call omp_set_lock(second)
        !$omp barrier
        if (omp_get_thread_num() == 0) then
            call omp_set_lock(second) ! <A>
            times = times + 1
            call omp_unset_lock(second)
        else
            call omp_set_lock(first) ! <B>
            times = times * 3
        end if
        !$omp end parallel
    end subroutine
end program
