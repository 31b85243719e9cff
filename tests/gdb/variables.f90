! Variables of every kind of Fortran, seen from the body of a region in a module's subroutine.
module fields
  implicit none
  real(8), allocatable :: grid(:,:)
  integer :: of_module = 99
  integer, save :: mine = 1
  !$omp threadprivate(mine)
  type particle
    integer :: id
    real(8) :: place(3)
  end type
contains
  subroutine park()
    do
      call sleep(1)
    end do
  end subroutine
  subroutine update(a, n, p)
    use omp_lib
    real(8), intent(inout) :: a(:)
    integer, intent(in) :: n
    type(particle), intent(inout) :: p
    integer :: first, me, total
    total = 100
    first = 30
    !$omp parallel num_threads(2) firstprivate(first) shared(a, p) private(me) reduction(+:total)
    me = omp_get_thread_num()
    first = first + me
    total = total + 7 + me
    mine = 40 + me
    if (me == 1) a(2) = a(2) + n
    grid(1, 1) = 1.5d0
    if (me == 1) p%id = p%id + of_module - 99
    !$omp barrier
    if (me == 1) call park() ! parks
    !$omp end parallel
    print *, total
  end subroutine
end module
program variables
  use fields
  real(8) :: v(6)
  type(particle) :: q
  allocate(grid(3, 2))
  grid = 2.5d0
  v = [(k * 1d0, k = 1, 6)]
  q = particle(7, [1d0, 2d0, 3d0])
  !$omp parallel num_threads(1)
  call update(v, 6, q)
  !$omp end parallel
end program
