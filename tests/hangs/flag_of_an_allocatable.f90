! An element of an array that is allocated is never set.
! @kind: spins
! @says: in a loop of the program's own for the variable
! @never: flags(5)
module stages
    implicit none
    integer, allocatable :: flags(:)
contains
    subroutine wait_for(at)
        integer, intent(in) :: at
        integer :: seen
        do
            !$omp atomic read ! <A>
            seen = flags(at) ! <A>
            if (seen /= 0) exit ! <A>
        end do
    end subroutine
end module

program flag_of_an_allocatable
    use omp_lib
    use stages
    implicit none
    allocate (flags(0:7), source=0)
    write (*, '(a)') 'ready'
    flush (6)
    !$omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) then
        !$omp atomic write
        flags(3) = 1
    else
        call wait_for(4)
    end if
    !$omp end parallel
end program
