! Nested locks of a module, one contended, and sections beside.
include 'truth.inc'

program main
  use truth_m
  integer(omp_nest_lock_kind) :: tree
  double precision :: held, waited, work, asked, start
  integer :: k
  held = 0
  waited = 0
  work = 0
  start = omp_get_wtime()
  call omp_init_nest_lock(tree)
  !$omp parallel num_threads(2) private(k, asked) reduction(+:held, waited, work) ! mark: region
  do k = 1, 30
    work = work + burn(0.002d0)
    asked = omp_get_wtime()
    call omp_set_nest_lock(tree) ! mark: tree, disease: hot-mutex
    waited = waited + omp_get_wtime() - asked
    call omp_set_nest_lock(tree)
    held = held + burn(0.008d0)
    call omp_unset_nest_lock(tree)
    call omp_unset_nest_lock(tree)
  end do
  !$omp end parallel
  call truth('held@tree', held)
  call truth('lock_wait@tree', waited)
  call truth('work@region', held + work)
  call truth('elapsed', omp_get_wtime() - start)
end program
