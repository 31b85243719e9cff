! @compilers: gfortran — flang 19 does not copy in a common block
! copyin of threadprivate common blocks and module variables.
module copyin_store
    implicit none
    integer, save :: counter = 5
    !$omp threadprivate(counter)
end module copyin_store
program copyin
    use omp_lib
    use copyin_store
    implicit none
    integer :: failures = 0
    integer :: number
    real(8) :: list(10)
    common /block/ number, list
    !$omp threadprivate(/block/)
    call omp_set_dynamic(.false.)
    !$omp parallel
    counter = 100 + omp_get_thread_num()
    number = omp_get_thread_num()
    list = number*2
    !$omp end parallel
    number = 77
    list = 1.25d0
    counter = 3
    !$omp parallel copyin(/block/, counter)
    call check(number == 77 .and. counter == 3, 'copyin')
    call check(all(list == 1.25d0), 'copyin of an array')
    !$omp end parallel
    call check_done()
contains
    include 'check.inc'
end program copyin
