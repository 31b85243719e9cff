! healthy
! Tasks of a Fortran program, made by one thread.
include 'truth.inc'

program main
  use truth_m
  double precision :: work, took, start
  integer :: k
  work = 0
  start = omp_get_wtime()
  !$omp parallel num_threads(2) private(took) ! mark: region
  !$omp single
  do k = 1, 80
    !$omp task private(took) shared(work) ! mark: task
    took = burn_ran(0.010d0)
    !$omp atomic
    work = work + took
    !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  call truth('tasks@task', 80d0)
  call truth('task_work@task', work)
  call truth('elapsed', omp_get_wtime() - start)
end program
