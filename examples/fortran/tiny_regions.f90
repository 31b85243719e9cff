! Disease: too many tiny regions. A region is forked and joined for every step of a few
! microseconds; the region belongs around the loop over the steps.
! Expected in the report: "too many tiny regions", the region at the marked line.
program tiny_regions
    implicit none
    integer, parameter :: cells = 1000, steps = 500000
    real(8) :: field(cells)
    integer :: i, step
    field = [(real(i, 8), i=1, cells)]
    do step = 1, steps
        !$omp parallel do schedule(static) ! disease: tiny-regions
        do i = 1, cells
            field(i) = field(i)*0.999999d0 + 1.0d-6
        end do
        !$omp end parallel do
    end do
    print '(f12.4)', sum(field)
end program tiny_regions
