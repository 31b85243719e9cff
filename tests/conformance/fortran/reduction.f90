! reduction with every Fortran operator and intrinsic.
program reduction
    use omp_lib
    implicit none
    integer :: failures = 0
    integer :: i, add, mul, low, high, bit_and, bit_or, bit_xor
    real(8) :: x
    logical :: every, some, same
    add = 1; mul = 1; low = 999; high = -999; bit_and = -1; bit_or = 0; bit_xor = 0
    x = 0; every = .true.; some = .false.; same = .true.
    !$omp parallel do reduction(+:add, x) reduction(*:mul) reduction(min:low) reduction(max:high) &
    !$omp& reduction(iand:bit_and) reduction(ior:bit_or) reduction(ieor:bit_xor) &
    !$omp& reduction(.and.:every) reduction(.or.:some)
    do i = 1, 100
        add = add + i
        x = x + 0.5d0
        if (i <= 10) mul = mul*2
        low = min(low, mod(i*13, 101))
        high = max(high, mod(i*13, 101))
        bit_and = iand(bit_and, not(ishft(1, mod(i, 8))))
        bit_or = ior(bit_or, ishft(1, mod(i, 8)))
        bit_xor = ieor(bit_xor, i)
        every = every .and. i > 0
        some = some .or. i == 57
    end do
    !$omp end parallel do
    call check(add == 5051, '+')
    call check(x == 50.0d0, '+ real')
    call check(mul == 1024, '*')
    call check(low == 1 .and. high == 100, 'min, max')
    call check(bit_and == not(255), 'iand')
    call check(bit_or == 255, 'ior')
    call check(bit_xor == 100, 'ieor')
    call check(every .and. some, 'and, or')
    !$omp parallel do reduction(.eqv.:same)
    do i = 1, 100
        same = same .eqv. (mod(i, 2) == 0)
    end do
    !$omp end parallel do
    call check(same, 'eqv')
    call check_done()
contains
    include 'check.inc'
end program reduction
