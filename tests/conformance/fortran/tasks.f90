! Tasks with taskwait, if, firstprivate; taskgroup.
! @compilers: gfortran — flang 19 keeps a task's private data on its maker's stack
program tasks
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, total
    integer :: done(200)
    done = 0
    total = 0
    !$omp parallel
    !$omp single
    do i = 1, 200
        !$omp task firstprivate(i) shared(done)
        done(i) = done(i) + i
        !$omp end task
    end do
    !$omp taskwait
    call check(sum(done) == 20100, 'taskwait')
    !$omp taskgroup
    do i = 1, 20
        !$omp task firstprivate(i) shared(total)
        !$omp atomic
        total = total + i
        !$omp end task
    end do
    !$omp end taskgroup
    call check(total == 210, 'taskgroup')
    !$omp task if(.false.) shared(total)
    total = 0
    !$omp end task
    call check(total == 0, 'undeferred')
    !$omp end single
    !$omp end parallel
    call check_done()
contains
    include 'check.inc'
end program tasks
