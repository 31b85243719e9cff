! A token goes round the ranks, then all meet on a copy of them.
program ring
    use mpi
    implicit none
    integer :: error, rank, ranks, before, next, token, round, copy
    integer :: status(MPI_STATUS_SIZE)
    integer(8) :: calls
    double precision :: begin, in_mpi, x
    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    before = mod(rank + ranks - 1, ranks)
    next = mod(rank + 1, ranks)
    token = 0
    in_mpi = 0
    calls = 0
    begin = MPI_Wtime()
    call MPI_Comm_dup(MPI_COMM_WORLD, copy, error)
    call count(begin)
    do round = 1, 10
        x = 0
        !$omp parallel num_threads(2) reduction(+ : x)
        x = x + round
        !$omp end parallel
        begin = MPI_Wtime()
        call MPI_Sendrecv_replace(token, 1, MPI_INTEGER, next, 0, before, 0, MPI_COMM_WORLD, &
            status, error)
        call count(begin)
        begin = MPI_Wtime()
        call MPI_Barrier(copy, error)
        call count(begin)
    end do
    print '(a, i0, a, f0.6, a, i0)', 'rank ', rank, ' in_mpi ', in_mpi, ' calls ', calls
    call MPI_Finalize(error)
contains
    subroutine count(since)
        double precision, intent(in) :: since
        in_mpi = in_mpi + (MPI_Wtime() - since)
        calls = calls + 1
    end subroutine count
end program ring
