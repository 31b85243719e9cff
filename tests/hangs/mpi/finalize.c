// @kind: message-not-sent
// @says: in MPI_
// One rank ends its part in the job, and the other one waits for it in a barrier of MPI's.
#include "../hang.h"

#include <mpi.h>

int main(int argc, char **argv) {
    int rank, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("child %d\n", (int)getpid());
    ready();
    #pragma omp parallel num_threads(2)
    {
        #pragma omp master
        if (rank == 1) MPI_Barrier(MPI_COMM_WORLD); // <A>
        #pragma omp barrier
    }
    MPI_Finalize(); // <A>
    return 0;
}
