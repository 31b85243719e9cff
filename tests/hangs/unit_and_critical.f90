! The lock of an output unit and a critical section in a circle: one thread prints what a function
! computes in the section, the other one prints in the section.
! @kind: lock-cycle
! @says: taken at unit_and_critical.f90:46)
! @also: -O0
! @debuggers
module counting
  implicit none
  integer, parameter :: writing = 1, inside = 2
  logical, volatile :: is_there(2) = .false.
contains
  integer function next()
    integer, save :: count = 0
    is_there(writing) = .true.
    call wait_for(inside) ! <A>
    !$omp critical(counter) ! <A>
    count = count + 1
    next = count
    !$omp end critical(counter)
  end function

  subroutine wait_for(which)
    integer, intent(in) :: which
    integer :: ignored
    interface
      integer(c_int) function usleep(time) bind(c)
        use iso_c_binding
        integer(c_int), value :: time
      end function
    end interface
    do while (.not. is_there(which))
      ignored = usleep(1000)
    end do
  end subroutine
end module

program unit_and_critical
  use omp_lib
  use counting
  implicit none
  open(7, file='/dev/null')
  print '(a)', 'ready'
  flush(6)
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) then
    write(7, *) next()
  else
    !$omp critical(counter)
    is_there(inside) = .true.
    call wait_for(writing)
    write(7, *) 'in the section' ! <B>
    !$omp end critical(counter)
  end if
  !$omp end parallel
end program
