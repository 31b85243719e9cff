! Derived types, sections, pointers and optional arguments, each mapped as far as it is used.
module derived_types
  implicit none
  type :: mesh_t
    integer :: count
    real, allocatable :: x(:), y(:)
  end type
contains
  subroutine move(x, n, by)
    integer, intent(in) :: n
    real, intent(inout) :: x(n)
    real, intent(in), optional :: by
    real :: step
    integer :: i
    step = 1
    if (present(by)) step = by
    !$omp target map(tofrom: x)
    do i = 1, n
      x(i) = x(i) + step
    end do
    !$omp end target
  end subroutine
end module

program derived
  use derived_types
  implicit none
  type(mesh_t) :: mesh
  real, pointer :: part(:)
  real, target :: whole(40)
  real, allocatable :: x(:), y(:)
  integer :: i
  real :: total
  mesh%count = 20
  allocate(mesh%x(20), mesh%y(20), x(20), y(5:24))
  mesh%x = 1
  mesh%y = 2
  x = mesh%x
  y = mesh%y
  whole = 3
  part => whole(11:20)
  total = 0
  call move(mesh%x, 20)
  call move(mesh%y(3:7), 5, 2.0)
  call move(part, 10)
  !$omp target data map(to: x) map(tofrom: y)
  !$omp target map(tofrom: total)
  do i = 1, 20
    y(i + 4) = y(i + 4) + x(i)
    total = total + y(i + 4)
  end do
  !$omp end target
  x = 5
  !$omp target update to(x)
  !$omp target map(tofrom: total)
  total = total + x(20)
  !$omp end target
  !$omp end target data
  print '(5f8.1)', total, sum(mesh%x), sum(mesh%y), sum(whole), sum(y)
  deallocate(mesh%x, mesh%y, x, y)
end program
