! atomic on integers, reals, logicals; min and max; capture.
program atomic
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, n, count, low, high, ticket, mine, bits
    integer(8) :: wide
    real(4) :: single
    real(8) :: double
    logical :: flag
    integer, allocatable :: taken(:)
    n = omp_get_max_threads()
    count = 0; low = 1000; high = -1000; ticket = 0; bits = 0; wide = 0
    single = 0; double = 0; flag = .true.
    allocate (taken(n*100))
    taken = 0
    !$omp parallel private(i, mine)
    do i = 1, 100
        !$omp atomic
        count = count + 1
        !$omp atomic
        wide = wide - 2_8
        !$omp atomic
        single = single + 1.0
        !$omp atomic
        double = double + 0.5d0
        !$omp atomic
        low = min(low, i)
        !$omp atomic
        high = max(high, i)
        !$omp atomic
        bits = ior(bits, i)
        !$omp atomic
        flag = flag .and. (i > 0)
        !$omp atomic capture
        ticket = ticket + 1
        mine = ticket
        !$omp end atomic
        !$omp atomic update
        taken(mine) = taken(mine) + 1
    end do
    !$omp end parallel
    call check(count == 100*n, 'integer')
    call check(wide == -200_8*n, '8-byte integer')
    call check(single == 100.0*n, 'real')
    call check(double == 50.0d0*n, 'double')
    call check(low == 1 .and. high == 100, 'min, max')
    call check(bits == 127, 'ior')
    call check(flag, 'and')
    call check(all(taken == 1), 'capture')
    call check_done()
contains
    include 'check.inc'
end program atomic
