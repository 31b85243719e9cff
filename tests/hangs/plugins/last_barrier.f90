! As last_barrier.c: one member sleeps, and the others wait in the last thing of the region.
! @kind: system-call
module sleepers
contains
  subroutine rest(threads)
    use omp_lib
    integer :: threads
    !$omp parallel num_threads(threads) ! <B> of flang, which gives such a barrier no line
    if (omp_get_thread_num() == 1) then
      call sleep(3000) ! <A>
    end if
    !$omp barrier ! <B>
    !$omp end parallel
  end subroutine
end module

subroutine work() bind(c)
  use sleepers
  call rest(3)
end subroutine
