! A critical construct in a subroutine and a lock, in a loop that reduces.
include 'truth.inc'

module adders
  use truth_m
contains
  subroutine add(total, amount)
    double precision, intent(inout) :: total
    double precision, intent(in) :: amount
    !$omp critical (adder) ! mark: adder
    total = total + burn(amount)
    !$omp end critical (adder)
  end subroutine
end module

program main
  use adders
  double precision :: start, total, work, count
  integer(omp_lock_kind) :: lock
  integer :: i
  start = omp_get_wtime()
  total = 0
  work = 0
  count = 0
  call omp_init_lock(lock)
  !$omp parallel do num_threads(2) reduction(+:work, count) schedule(dynamic, 2) ! mark: loop
  do i = 1, 30
    work = work + burn(0.004d0)
    count = count + 1
    call add(total, 0.003d0)
    call omp_set_lock(lock) ! mark: lock
    call omp_unset_lock(lock)
  end do
  call truth('work@loop', work + total)
  call truth('acquisitions@adder', 30d0)
  call truth('acquisitions@lock', 30d0)
  call truth('held@adder', total)
  call truth('elapsed', omp_get_wtime() - start)
end program
