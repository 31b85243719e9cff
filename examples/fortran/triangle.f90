! Disease: imbalance at a barrier. The rows of a triangle grow, and equal numbers of rows are not
! equal work: the thread with the last rows is waited for.
! Expected in the report: "load imbalance", the region at the marked line.
program triangle
    implicit none
    integer, parameter :: rows = 400, sweeps = 12
    integer(8) :: total(rows), x
    integer :: i, j, sweep
    total = 0
    do sweep = 1, sweeps
        !$omp parallel do schedule(static) private(j, x) ! disease: imbalance
        do i = 1, rows
            x = i + sweep
            do j = 1, i*2000
                x = iand(x*1664525_8 + 1013904223_8, 4294967295_8)
            end do
            total(i) = total(i) + x
        end do
        !$omp end parallel do
    end do
    print '(i0)', sum(total)
end program triangle
