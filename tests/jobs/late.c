// By turns one of two ranks comes late to a message, as the one that sends and as the one that
// receives.
#include "jobs.h"

#define LARGE (1 << 17)

static double block[LARGE];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), token = 0;
    MPI_Status status;
    MPI_Request request;
    #pragma omp parallel num_threads(2)
    work(1);
    for (int round = 0; round < 10; round++) {
        if (rank == 0) {
            work(10);
            TIMED(MPI_Send(&token, 1, MPI_INT, 1, 1, MPI_COMM_WORLD));
            work(10);
            TIMED(MPI_Send(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD));
            TIMED(MPI_Ssend(block, LARGE, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD)); // early sender
        } else {
            TIMED(MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                           &status)); // late sender
            TIMED(MPI_Irecv(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &request));
            TIMED(MPI_Wait(&request, &status)); // late sender
            work(10);
            TIMED(MPI_Recv(block, LARGE, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &status));
        }
    }
    tell(rank);
    finish(rank);
    return 0;
}
