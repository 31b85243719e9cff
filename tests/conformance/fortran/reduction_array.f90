! reduction over arrays, allocatable arrays and a derived type.
! @compilers: gfortran — flang 19 lacks array reductions of these kinds
program reduction_array
    use omp_lib
    implicit none
    type :: extent
        real(8) :: low = 1d300, high = -1d300
    end type extent
    !$omp declare reduction(join : extent : omp_out = extent(min(omp_out%low, omp_in%low), &
    !$omp&   max(omp_out%high, omp_in%high))) initializer(omp_priv = extent())
    integer :: failures = 0
    integer :: i, counts(10)
    real(8), allocatable :: sums(:)
    type(extent) :: all_of
    counts = 0
    allocate (sums(16))
    sums = 1
    !$omp parallel do reduction(+:counts, sums) reduction(join:all_of)
    do i = 1, 1000
        counts(mod(i, 10) + 1) = counts(mod(i, 10) + 1) + 1
        sums(mod(i, 16) + 1) = sums(mod(i, 16) + 1) + 1
        all_of%low = min(all_of%low, real(mod(i*37, 1000), 8))
        all_of%high = max(all_of%high, real(mod(i*37, 1000), 8))
    end do
    !$omp end parallel do
    call check(all(counts == 100), 'array')
    call check(sum(sums) == 1016, 'allocatable')
    call check(all_of%low == 0 .and. all_of%high == 999, 'derived type')
    call check_done()
contains
    include 'check.inc'
end program reduction_array
