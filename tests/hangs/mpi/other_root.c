// The rank with the smallest value spreads it. Each rank finds that one by its own values alone: so
// they name different roots, and nobody sends.
#include "../hang.h"

#include <mpi.h>

static double __attribute__((noinline)) best(int rank, int *owner) {
    double least = 1e9;
    #pragma omp parallel for num_threads(2) reduction(min : least)
    for (int i = 0; i < 1000; i++) {
        double value = (i - 500.0) * (i - 500.0) + rank;
        least = value < least ? value : least;
    }
    *owner = least < 0.5 ? 1 : 0;
    return least;
}

int main(int argc, char **argv) {
    double model[16] = {0};
    int level, rank, owner;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("child %d\n", (int)getpid());
    ready();
    model[0] = best(rank, &owner);
    MPI_Bcast(model, 16, MPI_DOUBLE, owner, MPI_COMM_WORLD);
    MPI_Finalize();
}
