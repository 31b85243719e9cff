// A token goes round the ranks; each works between, with two threads.
#include "jobs.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), token = 0;
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int round = 0; round < 10; round++) {
        #pragma omp parallel num_threads(2)
        work(2);
        if (rank == 0) {
            TIMED(MPI_Send(&token, 1, MPI_INT, next, 0, MPI_COMM_WORLD));
            TIMED(MPI_Recv(&token, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        } else {
            TIMED(MPI_Recv(&token, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            token++;
            TIMED(MPI_Send(&token, 1, MPI_INT, next, 0, MPI_COMM_WORLD));
        }
    }
    tell(rank);
    MPI_Finalize();
    return 0;
}
