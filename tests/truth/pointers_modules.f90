! Regions of internal and module procedures that are called through procedure pointers.
include 'truth.inc'

module kernels
  use truth_m
  implicit none
  abstract interface
    subroutine kernel(work, late)
      double precision, intent(inout) :: work, late
    end subroutine
  end interface
contains
  subroutine even(work, late)
    double precision, intent(inout) :: work, late
    double precision :: own
    own = 0
    !$omp parallel num_threads(2) reduction(+:own) ! mark: even
    own = own + burn(0.009d0)
    !$omp end parallel
    work = work + own
    late = late + 0
  end subroutine

  subroutine uneven(work, late)
    double precision, intent(inout) :: work, late
    double precision :: own(0:1)
    !$omp parallel num_threads(2) shared(own) ! mark: uneven, disease: imbalance
    own(omp_get_thread_num()) = burn(merge(0.017d0, 0.005d0, omp_get_thread_num() == 1))
    !$omp end parallel
    work = work + sum(own)
    late = late + abs(own(1) - own(0))
  end subroutine
end module

program main
  use kernels
  procedure(kernel), pointer :: step
  double precision :: start, work(2), late(2)
  integer :: k
  work = 0
  late = 0
  start = omp_get_wtime()
  do k = 1, 50
    if (mod(k, 2) == 0) then
      step => even
    else
      step => uneven
    end if
    call step(work(1 + mod(k, 2)), late(1 + mod(k, 2)))
  end do
  call truth('work@even', work(1))
  call truth('work@uneven', work(2))
  call truth('imbalance@uneven', late(2))
  call truth('instances@even', 25d0)
  call truth('instances@uneven', 25d0)
  call truth('elapsed', omp_get_wtime() - start)
end program
