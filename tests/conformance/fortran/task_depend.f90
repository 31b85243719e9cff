! Task dependences and taskloop.
! @compilers: gfortran — flang 19 does not lower taskloop
program task_depend
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, x, wrong, total
    x = 0; wrong = 0; total = 0
    !$omp parallel
    !$omp single
    do i = 1, 100
        !$omp task depend(inout:x) firstprivate(i) shared(x, wrong)
        if (x /= i - 1) wrong = wrong + 1
        x = i
        !$omp end task
    end do
    !$omp taskloop grainsize(6) reduction(+:total)
    do i = 1, 100
        total = total + i
    end do
    !$omp end taskloop
    !$omp end single
    !$omp end parallel
    call check(x == 100 .and. wrong == 0, 'chain')
    call check(total == 5050, 'taskloop')
    call check_done()
contains
    include 'check.inc'
end program task_depend
