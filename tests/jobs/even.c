// All ranks do the same, each with two threads.
#include "jobs.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD);
    for (int round = 0; round < 10; round++) {
        #pragma omp parallel num_threads(2)
        work(10);
        TIMED(MPI_Barrier(MPI_COMM_WORLD));
    }
    tell(rank);
    finish(rank);
    return 0;
}
