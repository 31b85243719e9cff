! single with copyprivate of scalars and arrays.
program copyprivate
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: number, r
    real(8) :: list(20)
    !$omp parallel private(number, list, r)
    do r = 1, 30
        !$omp single
        number = r
        list = r * 1.5d0
        !$omp end single copyprivate(number, list)
        call check(number == r, 'number')
        call check(all(list == r * 1.5d0), 'list')
        !$omp barrier
    end do
    !$omp end parallel
    call check_done()
contains
    include 'check.inc'
end program copyprivate
