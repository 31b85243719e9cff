! As standing.c.
module places
  use omp_lib
  use iso_c_binding
  implicit none
  integer(omp_lock_kind) :: lock
  integer :: on_their_way = 0, task_begun = 0
  interface
    function prctl(option, a, b, c, d) bind(c)
      import
      integer(c_int), value :: option
      integer(c_long), value :: a, b, c, d
      integer(c_int) :: prctl
    end function
    function usleep(time) bind(c)
      import
      integer(c_int), value :: time
      integer(c_int) :: usleep
    end function
  end interface
contains
  subroutine comes()
    !$omp atomic
    on_their_way = on_their_way + 1
  end subroutine
  function came() result(count)
    integer :: count
    !$omp atomic read
    count = on_their_way
  end function
  subroutine stand()
    integer :: slept
    do
      slept = usleep(1000)
    end do
  end subroutine
  subroutine hold()
    integer :: slept
    call omp_set_lock(lock)
    !$omp critical (held)
    call comes()
    do while (came() < 5)
      slept = usleep(1000)
    end do
    print '(a)', 'ready'
    flush (6)
    call stand()
    !$omp end critical (held)
  end subroutine
  subroutine at_critical()
    call comes()
    !$omp critical (held)
    on_their_way = 0
    !$omp end critical (held)
  end subroutine
  subroutine at_tasks()
    integer :: x
    x = 0
    !$omp task depend(out: x)
    !$omp atomic write
    task_begun = 1
    call comes()
    call stand()
    !$omp end task
    !$omp task depend(inout: x)
    x = 1
    !$omp end task
    !$omp taskwait
  end subroutine
  subroutine await_task()
    integer :: slept, begun
    do
      !$omp atomic read
      begun = task_begun
      if (begun == 1) return
      slept = usleep(1000)
    end do
  end subroutine
  subroutine inner()
    !$omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) then
      call comes()
      call stand()
    end if
    !$omp end parallel
  end subroutine
end module

program standing
  use places
  implicit none
  integer :: slept
  slept = prctl(int(z'59616d61', c_int), -1_c_long, 0_c_long, 0_c_long, 0_c_long)
  call omp_init_lock(lock)
  call omp_set_max_active_levels(3)
  !$omp parallel num_threads(6) private(slept)
  if (omp_get_thread_num() == 0) call hold()
  do while (came() == 0)
    slept = usleep(1000)
  end do
  select case (omp_get_thread_num())
  case (1)
    call comes()
    call omp_set_lock(lock)
  case (2)
    call at_critical()
  case (3)
    call at_tasks()
  case (4)
    call inner()
  case (5)
    ! At the barrier it could begin the task.
    call await_task()
  end select
  !$omp barrier
  !$omp end parallel
end program
