// Short reductions, for which one rank comes late by work outside of regions.
#include "jobs.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD);
    double sum, mine = rank;
    #pragma omp parallel num_threads(2)
    work(1);
    for (int round = 0; round < 300; round++) {
        work(rank == 0 ? 0.3 : 0.05);
        TIMED(MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    }
    tell(rank);
    finish(rank);
    return sum < 0;
}
