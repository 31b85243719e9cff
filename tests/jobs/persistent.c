// Requests that are made once and started again and again, of messages that do not fit a buffer.
#include "jobs.h"

#define BLOCK (1 << 18)

static double sent[BLOCK], got[BLOCK];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Request requests[2];
    TIMED(MPI_Recv_init(got, BLOCK, MPI_DOUBLE, before, 3, MPI_COMM_WORLD, &requests[0]));
    TIMED(MPI_Send_init(sent, BLOCK, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, &requests[1]));
    for (int round = 0; round < 20; round++) {
        TIMED(MPI_Startall(2, requests));
        #pragma omp parallel num_threads(2)
        work(rank == 1 ? 8 : 2);
        TIMED(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    for (int i = 0; i < 2; i++)
        TIMED(MPI_Request_free(&requests[i]));
    tell(rank);
    finish(rank);
    return 0;
}
