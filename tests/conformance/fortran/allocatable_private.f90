! private, firstprivate and lastprivate of allocatable arrays.
! @compilers: gfortran — flang 19 lacks parts of it
program allocatable_private
    use omp_lib
    implicit none
    integer :: failures = 0
    integer, allocatable :: own(:), given(:), last(:)
    integer :: i
    allocate (given(50), last(3), own(4))
    given = 9
    own = 1
    !$omp parallel private(own) firstprivate(given)
    call check(allocated(own), 'private has the outer allocation status')
    own = omp_get_thread_num()
    call check(size(own) == 4, 'size')
    call check(all(given == 9), 'copy')
    given = own(1)
    !$omp do lastprivate(last)
    do i = 1, 40
        last = i
    end do
    !$omp end do
    call check(all(own == omp_get_thread_num()), 'still own')
    !$omp end parallel
    call check(all(given == 9), 'original untouched')
    call check(all(own == 1), 'private leaves the original')
    call check(all(last == 40), 'lastprivate')
    call check_done()
contains
    include 'check.inc'
end program allocatable_private
