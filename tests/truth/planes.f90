! A loop over three planes in a region, behind a procedure with a loop of its own: two threads
! cannot share three planes. flang gives the call for the inner loop no line.
include 'truth.inc'

module field
  use truth_m
  implicit none
  integer, parameter :: width = 300, height = 300, planes = 3, steps = 150
  double precision :: before(width, height, planes), after(width, height, planes)
contains
  subroutine fill()
    integer :: i, j, k
    !$omp parallel do num_threads(2) private(i, j, k)
    do j = 1, height
      do k = 1, planes
        do i = 1, width
          before(i, j, k) = sin(0.01d0 * i) + cos(0.02d0 * j) + k
          after(i, j, k) = 0
        end do
      end do
    end do
    !$omp end parallel do
  end subroutine

  subroutine relax()
    integer :: i, j, k, own
    double precision :: ended(0:1), begun
    ended = 0
    !$omp parallel num_threads(2) private(i, j, k, own, begun) ! mark: region, disease: imbalance
    own = omp_get_thread_num()
    begun = omp_get_wtime()
    !$omp do ! mark: loop
    do k = 1, planes
      do j = 2, height - 1
        do i = 2, width - 1
          after(i, j, k) = 0.25d0 * sqrt(abs(before(i - 1, j, k) * before(i + 1, j, k))) &
                           + 0.25d0 * (before(i, j - 1, k) + before(i, j + 1, k))
        end do
        ended(own) = omp_get_wtime()
      end do
    end do
    !$omp end do
    ended(own) = ended(own) - begun
    !$omp end parallel
  end subroutine
end module

program main
  use field
  integer :: step
  double precision :: start
  start = omp_get_wtime()
  call fill()
  do step = 1, steps
    call relax()
  end do
  call truth('instances@loop', 1d0 * steps)
  call truth('elapsed', omp_get_wtime() - start)
end program
