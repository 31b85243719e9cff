! Tasks with taskwait, if, firstprivate; taskgroup; recursion.
! @compilers: gfortran — flang 19 keeps a task's private data on its maker's stack
program task_recursion
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, total, result
    integer :: done(200)
    done = 0
    total = 0
    result = 0
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
    call fib(12, result)
    !$omp end single
    !$omp end parallel
    call check(result == 144, 'recursion')
    call check_done()
contains
    include 'check.inc'
    recursive subroutine fib(n, f)
        integer, intent(in) :: n
        integer, intent(out) :: f
        integer :: a, b
        if (n < 2) then
            f = n
            return
        end if
        a = 0
        b = 0
        !$omp task shared(a) firstprivate(n)
        call fib(n - 1, a)
        !$omp end task
        !$omp task shared(b) firstprivate(n)
        call fib(n - 2, b)
        !$omp end task
        !$omp taskwait
        f = a + b
    end subroutine fib
end program task_recursion
