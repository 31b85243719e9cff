// Ranks ask again and again whether a message has come, and work a little between.
#include "jobs.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int round = 0; round < 20; round++) {
        int got, is_there = 0;
        MPI_Request request;
        TIMED(MPI_Irecv(&got, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &request));
        #pragma omp parallel num_threads(2)
        work(rank == 0 ? 6 : 2);
        TIMED(MPI_Send(&round, 1, MPI_INT, next, 0, MPI_COMM_WORLD));
        while (!is_there) {
            TIMED(MPI_Test(&request, &is_there, MPI_STATUS_IGNORE));
            work(0.05);
        }
    }
    tell(rank);
    finish(rank);
    return 0;
}
