// Each collective call, on all ranks, on a copy of them, and on halves.
#include "jobs.h"
#include <string.h>

static void all_of(MPI_Comm communicator)
{
    enum { MOST = 64 };
    int size = size_of(communicator), mine[MOST], all[MOST], ones[MOST], places[MOST];
    for (int i = 0; i < MOST; i++) {
        mine[i] = i;
        ones[i] = 1;
        places[i] = i;
    }
    TIMED(MPI_Barrier(communicator));
    TIMED(MPI_Bcast(mine, 1, MPI_INT, 0, communicator));
    TIMED(MPI_Gather(mine, 1, MPI_INT, all, 1, MPI_INT, 0, communicator));
    TIMED(MPI_Gatherv(mine, 1, MPI_INT, all, ones, places, MPI_INT, 0, communicator));
    TIMED(MPI_Scatter(all, 1, MPI_INT, mine, 1, MPI_INT, 0, communicator));
    TIMED(MPI_Scatterv(all, ones, places, MPI_INT, mine, 1, MPI_INT, 0, communicator));
    TIMED(MPI_Allgather(mine, 1, MPI_INT, all, 1, MPI_INT, communicator));
    TIMED(MPI_Allgatherv(mine, 1, MPI_INT, all, ones, places, MPI_INT, communicator));
    TIMED(MPI_Alltoall(mine, 1, MPI_INT, all, 1, MPI_INT, communicator));
    TIMED(MPI_Alltoallv(mine, ones, places, MPI_INT, all, ones, places, MPI_INT, communicator));
    TIMED(MPI_Reduce(mine, all, 1, MPI_INT, MPI_SUM, size - 1, communicator));
    TIMED(MPI_Allreduce(mine, all, 1, MPI_INT, MPI_SUM, communicator));
    TIMED(MPI_Reduce_scatter(mine, all, ones, MPI_INT, MPI_SUM, communicator));
    TIMED(MPI_Reduce_scatter_block(mine, all, 1, MPI_INT, MPI_SUM, communicator));
    TIMED(MPI_Scan(mine, all, 1, MPI_INT, MPI_SUM, communicator));
    TIMED(MPI_Exscan(mine, all, 1, MPI_INT, MPI_SUM, communicator));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    MPI_Comm copy, half;
    TIMED(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    TIMED(MPI_Comm_split(copy, rank < size / 2, rank, &half));
    #pragma omp parallel num_threads(2)
    work(1 + rank);
    for (int round = 0; round < 20; round++) {
        all_of(MPI_COMM_WORLD);
        all_of(copy);
        all_of(half);
    }
    TIMED(MPI_Comm_free(&half));
    TIMED(MPI_Comm_free(&copy));
    tell(rank);
    MPI_Finalize();
    return 0;
}
