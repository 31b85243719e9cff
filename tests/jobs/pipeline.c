// Each rank passes on what it got, and works on it before: the last stage takes longest.
#include "jobs.h"

#define BLOCK (1 << 16)

static double sent[BLOCK], got[BLOCK];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int next = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (int round = 0; round < 20; round++) {
        #pragma omp parallel num_threads(2)
        work(rank + 1 < size ? 4 : 10);
        TIMED(MPI_Sendrecv(sent, BLOCK, MPI_DOUBLE, next, 7, got, BLOCK, MPI_DOUBLE, before, 7,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }
    tell(rank);
    finish(rank);
    return 0;
}
