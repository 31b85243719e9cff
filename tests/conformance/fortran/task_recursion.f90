! Tasks of a recursion, each of which waits for its own.
! @compilers: gfortran — flang 19 keeps a task's private data on its maker's stack
program task_recursion
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: result
    result = 0
    !$omp parallel
    !$omp single
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
