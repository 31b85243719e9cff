! workshare: array assignments, forall, where, scalar statements, as if by one thread.
program workshare
    use omp_lib
    implicit none
    integer :: failures = 0
    real(8) :: a(100), b(100), c(100), total
    integer :: i
    a = [(real(i, 8), i=1, 100)]
    !$omp parallel shared(a, b, c, total)
    !$omp workshare
    b = a*2
    c = a + b
    total = sum(c)
    where (c > 150) c = 0
    !$omp end workshare
    call check(b(100) == 200, 'assignment')
    call check(total == 3*5050, 'scalar after arrays')
    call check(c(50) == 150 .and. c(51) == 0, 'where')
    !$omp end parallel
    !$omp parallel workshare
    a = 1
    b = a + 1
    !$omp end parallel workshare
    call check(sum(b) == 200, 'parallel workshare')
    call check_done()
contains
    include 'check.inc'
end program workshare
