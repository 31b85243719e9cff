! Tasks without private data, which flang 19 keeps on the stack of the thread that made them.
module work
    implicit none
    integer :: total = 0
end module work
program task_plain
    use work
    implicit none
    integer :: i
    !$omp parallel
    !$omp single
    do i = 1, 100
        !$omp task shared(total)
        !$omp atomic
        total = total + 1
        !$omp end task
    end do
    !$omp taskwait
    if (total /= 100) total = -1000
    !$omp end single
    !$omp end parallel
    if (total /= 100) stop 1
    print '(a)', 'ok'
end program task_plain
