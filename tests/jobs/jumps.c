// The region's code leaves by a jump for its last call, which returns to the runtime.
#pragma GCC optimize("O2")
#include "jobs.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD);
    for (int round = 0; round < 10; round++) {
        work(rank == 0 ? 20 : 2);
        double begin = MPI_Wtime();
        _Pragma("omp parallel num_threads(1)") MPI_Barrier(MPI_COMM_WORLD); // the region
        in_mpi += MPI_Wtime() - begin;
        calls++;
    }
    tell(rank);
    MPI_Finalize();
    return 0;
}
