// @kind: message-not-sent
// @says: is in MPI_
// Each rank leaves the loop by its own residual, not by that of all: one is in MPI_Finalize, the
// other one in the next MPI_Allreduce.
#include "../hang.h"

#include <mpi.h>

static double sweep(double *value, int rank) {
    double residual = 0;
    #pragma omp parallel num_threads(2) reduction(+ : residual)
    residual += *value / (rank + 3);
    *value = residual;
    return residual;
}

int main(int argc, char **argv) {
    int rank, level;
    double value = 1, sum;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("child %d\n", (int)getpid());
    ready();
    for (;;) {
        double residual = sweep(&value, rank);
        MPI_Allreduce(&residual, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // <A>
        if (residual < 1e-3) break;
    }
    MPI_Finalize(); // <A>
    return 0;
}
