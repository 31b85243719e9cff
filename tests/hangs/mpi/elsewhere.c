// @kind: message-not-sent
// @says: is in MPI_
// One rank waits for a message, the other ones are in a barrier: they are not in one operation.
#include "../hang.h"

#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value = 0, sum = 0, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("child %d\n", (int)getpid());
    ready();
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // <A>
    } else {
        MPI_Barrier(MPI_COMM_WORLD); // <B>
    }
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += value;
    MPI_Finalize();
    return sum;
}
