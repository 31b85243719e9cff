// Rank 1 has three times the work of the others, well shared among its threads.
#include "jobs.h"

static void step(int rank)
{
    #pragma omp parallel num_threads(2) // uneven ranks
    work(rank == 1 ? 30 : 10);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD);
    double sum, mine = rank;
    for (int round = 0; round < 10; round++) {
        step(rank);
        TIMED(MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)); // all wait
    }
    tell(rank);
    MPI_Finalize();
    return sum < 0;
}
