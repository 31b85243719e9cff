! The same two shares in Fortran: until the file in the first argument is there.

program shares
    use omp_lib
    implicit none
    character(len=1024) :: stop_file
    logical :: is_over
    integer(8) :: rounds
    call get_command_argument(1, stop_file)
    rounds = 0
    print '(a)', 'ready'
    flush(6)
    do
        inquire(file=trim(stop_file), exist=is_over)
        if (is_over) exit
        call seventy()
        call thirty()
        rounds = rounds + 1
    end do
    print '(a, i0)', 'rounds ', rounds
contains
    subroutine seventy()
        !$omp parallel ! seventy
        call compute(7000000)
        !$omp end parallel
    end subroutine
    subroutine thirty()
        !$omp parallel ! thirty
        call compute(3000000)
        !$omp end parallel
    end subroutine
    subroutine compute(times)
        integer, intent(in) :: times
        real(8) :: x
        integer :: i
        x = 0
        do i = 1, times
            x = x + sqrt(real(i, 8))
        end do
        if (x < 0) print *, x
    end subroutine
end program
