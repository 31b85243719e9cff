! Disease: none. Every row costs the same, and the regions are long.
! Expected in the report: no OpenMP problem found.
program balanced
    implicit none
    integer, parameter :: rows = 1000, sweeps = 4
    integer(8) :: total(rows), x
    integer :: i, j, sweep
    total = 0
    do sweep = 1, sweeps
        !$omp parallel do schedule(dynamic) private(j, x)
        do i = 1, rows
            x = i + sweep
            do j = 1, 230000
                x = iand(x*1664525_8 + 1013904223_8, 4294967295_8)
            end do
            total(i) = total(i) + x
        end do
        !$omp end parallel do
    end do
    print '(i0)', sum(total)
end program balanced
