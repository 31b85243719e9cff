// Rank 0 deals out work and uses no OpenMP; the others work in regions.
#include "jobs.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), piece = 0;
    for (int round = 0; round < 5; round++) {
        if (rank == 0) {
            for (int other = 1; other < size; other++)
                TIMED(MPI_Send(&piece, 1, MPI_INT, other, 0, MPI_COMM_WORLD));
            for (int other = 1; other < size; other++)
                TIMED(MPI_Recv(&piece, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE));
        } else {
            TIMED(MPI_Recv(&piece, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            #pragma omp parallel num_threads(2)
            work(10);
            TIMED(MPI_Send(&piece, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
        }
    }
    tell(rank);
    MPI_Finalize();
    return 0;
}
