// The last rank has as much work as the others, and one of its threads nearly all of that.
#include "jobs.h"

static void step(int is_last)
{
    #pragma omp parallel num_threads(2) // uneven threads
    {
        int thread = omp_get_thread_num();
        work(!is_last ? 15 : thread == 1 ? 29 : 1);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD);
    for (int round = 0; round < 10; round++) {
        step(rank == size_of(MPI_COMM_WORLD) - 1);
        TIMED(MPI_Barrier(MPI_COMM_WORLD)); // all wait
    }
    tell(rank);
    MPI_Finalize();
    return 0;
}
