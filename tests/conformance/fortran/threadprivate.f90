! threadprivate common blocks and module variables.
module store
    implicit none
    integer, save :: counter = 5
    !$omp threadprivate(counter)
end module store
program threadprivate
    use omp_lib
    use store
    implicit none
    integer :: failures = 0
    integer :: number, r
    real(8) :: list(10)
    common /block/ number, list
    !$omp threadprivate(/block/)
    call omp_set_dynamic(.false.)
    !$omp parallel
    counter = 100 + omp_get_thread_num()
    number = omp_get_thread_num()
    list = number*2
    !$omp end parallel
    do r = 1, 10
        !$omp parallel
        call check(counter == 99 + r + omp_get_thread_num(), 'module variable kept')
        counter = counter + 1
        call check(number == omp_get_thread_num(), 'common kept')
        call check(all(list == number*2), 'array kept')
        !$omp end parallel
    end do
    call check_done()
contains
    include 'check.inc'
end program threadprivate
