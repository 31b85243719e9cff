// Rank 1 has work without end, which the others wait for. Each says when it is there.
#include "jobs.h"
#include <unistd.h>

static void step(void)
{
    #pragma omp parallel num_threads(2)
    work(240e3); // works
}

int main(int argc, char **argv)
{
    alarm(240);
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD);
    puts("ready");
    fflush(stdout);
    if (rank == 1)
        step();
    MPI_Barrier(MPI_COMM_WORLD); // waits
    MPI_Finalize();
}
