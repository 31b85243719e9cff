! Arrays whose descriptors the compiler maps beside them, from a dummy argument's stack too;
! pointers to nothing that are unmapped; and what is copied to a counterpart from elsewhere.
module m
  implicit none
contains
  subroutine enter(x)
    integer :: x(:)
    !$omp target enter data map(to: x)
  end subroutine
  subroutine leave(x, n)
    integer :: n, x(n)
    !$omp target exit data map(from: x)
  end subroutine
  subroutine deeper(depth, total)
    integer :: depth, total, own(50)
    own = depth
    total = total + sum(own)
    if (depth > 0) call deeper(depth - 1, total)
  end subroutine
end module

program dummies
  use m
  use omp_lib
  use iso_c_binding
  implicit none
  integer, allocatable :: x(:)
  integer, pointer :: nothing(:)
  integer, target :: q(0:31)
  integer :: i, total, device
  type(c_ptr) :: p
  device = omp_get_default_device()
  allocate(x(40))
  x = [(i, i = 1, 40)]
  total = 0
  call enter(x)
  call deeper(10, total)
  !$omp target map(alloc: x)
  x(7) = x(7) + 1
  !$omp end target
  call leave(x, size(x))
  nothing => null()
  !$omp target enter data map(to: nothing)
  !$omp target exit data map(from: nothing)

  q = [(i, i = 0, 31)]
  p = omp_target_alloc(32 * c_sizeof(q(0)), device)
  i = omp_target_associate_ptr(c_loc(q), p, 32 * c_sizeof(q(0)), 0_c_size_t, device)
  i = omp_target_memcpy(p, c_loc(q), 32 * c_sizeof(q(0)), 0_c_size_t, 0_c_size_t, &
                        device, omp_get_initial_device())
  q = q + 1
  i = omp_target_memcpy(p, p, 8 * c_sizeof(q(0)), 8 * c_sizeof(q(0)), 0_c_size_t, &
                        device, device)
  !$omp target map(alloc: q) map(tofrom: total)
  total = total + q(8) + q(15)
  !$omp end target
  i = omp_target_disassociate_ptr(c_loc(q), device)
  call omp_target_free(p, device)
  print *, x(7), sum(x), total > 0
end program
