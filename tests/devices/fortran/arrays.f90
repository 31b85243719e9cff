! Arrays with and without a fixed size, derived types, allocatable and pointer arrays, updates.
module fields
  implicit none
  type field
    integer :: length
    real(8) :: scale
    integer :: items(3)
  end type
  type holder
    integer, pointer :: items(:)
  end type
  integer :: shared_table(5)
  !$omp declare target (shared_table)
contains
  subroutine add(a, n)
    integer, intent(inout) :: a(:)
    integer, intent(in) :: n
    integer :: i
    !$omp target teams distribute parallel do map(tofrom: a)
    do i = 1, size(a)
      a(i) = a(i) + n
    end do
  end subroutine
end module

program arrays
  use fields
  implicit none
  integer :: fixed(10), i, total
  integer, allocatable :: own(:), empty(:)
  integer, pointer :: pointed(:, :)
  type(field) :: f
  type(holder) :: h
  character(len=5) :: word
  fixed = [(i, i = 1, 10)]
  allocate (own(6), source=2)
  allocate (pointed(3, 4))
  allocate (empty(0))
  pointed = 1
  call add(fixed, 3)
  call add(fixed(2:9:1), 10)
  call add(own, 5)
  print '(10i4)', fixed
  print '(6i4)', own
  !$omp target map(tofrom: pointed)
  pointed(2, :) = 7
  !$omp end target
  print '(i4)', sum(pointed)
  !$omp target enter data map(to: own)
  own = 1
  !$omp target update to(own)
  !$omp target
  own(6) = sum(own(1:5)) + own(6)
  !$omp end target
  !$omp target update from(own)
  !$omp target exit data map(delete: own)
  print '(6i4)', own
  f%length = 4
  f%scale = 0.5d0
  !$omp target map(tofrom: f%length, f%scale)
  f%length = f%length * 2
  f%scale = f%scale + f%length
  !$omp end target
  print '(i4,f6.2)', f%length, f%scale
  f%items = 9
  !$omp target map(tofrom: f%items)
  f%items(2) = 1
  !$omp end target
  print '(3i4)', f%items
  allocate (h%items(4), source=5)
  !$omp target map(tofrom: h%items)
  h%items(4) = 6
  !$omp end target
  print '(4i4)', h%items
  total = 0
  !$omp target map(tofrom: total) map(to: empty)
  total = size(empty) + 1
  !$omp end target
  print '(i4)', total
  word = 'abcde'
  !$omp target map(tofrom: word)
  word(2:3) = 'XY'
  !$omp end target
  print '(a)', word
  !$omp target
  shared_table = [(i * i, i = 1, 5)]
  !$omp end target
  !$omp target update from(shared_table)
  print '(5i4)', shared_table
  total = 0
  !$omp target teams distribute parallel do reduction(+: total) map(to: fixed)
  do i = 1, 10
    total = total + fixed(i)
  end do
  print '(i6)', total
end program
