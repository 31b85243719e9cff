// The first thread of a region calls MPI while the others work.
#include "jobs.h"

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    int rank = rank_of(MPI_COMM_WORLD);
    for (int round = 0; round < 10; round++) {
        #pragma omp parallel num_threads(2)
        {
            #pragma omp masked
            TIMED(MPI_Barrier(MPI_COMM_WORLD));
            work(5);
        }
    }
    tell(rank);
    MPI_Finalize();
    return level < MPI_THREAD_FUNNELED;
}
