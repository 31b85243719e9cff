! sections, single, master.
program sections
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: a, b, c, singles, masters, r
    a = 0; b = 0; c = 0; singles = 0; masters = 0
    !$omp parallel private(r)
    !$omp sections
    !$omp section
    a = a + 1
    !$omp section
    b = b + 2
    !$omp section
    c = c + 3
    !$omp end sections
    call check(a + b + c == 6, 'sections done at the end')
    do r = 1, 50
        !$omp single
        singles = singles + 1
        !$omp end single
    end do
    !$omp master
    masters = masters + 1
    !$omp end master
    !$omp end parallel
    call check(singles == 50, 'single')
    call check(masters == 1, 'master')
    call check_done()
contains
    include 'check.inc'
end program sections
