// Rank 0 sleeps before each message, for which rank 1 waits.
#include "jobs.h"
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), token = 0;
    #pragma omp parallel num_threads(2)
    work(1);
    for (int round = 0; round < 15; round++) {
        if (rank == 0) {
            usleep(20000); // sleeps
            TIMED(MPI_Send(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD));
        } else {
            TIMED(MPI_Recv(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        }
    }
    tell(rank);
    finish(rank);
    return 0;
}
