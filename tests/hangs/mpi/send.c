// @kind: message-not-sent
// @says: the message that it sends is not received
// A message that nobody receives: each rank sends to the other one first.
#include "../hang.h"

#include <mpi.h>

int main(int argc, char **argv) {
    int rank, value = 1, sum = 0, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("child %d\n", (int)getpid());
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        #pragma omp master
        MPI_Ssend(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD); // <A>
        #pragma omp barrier // <B>
        sum++;
    }
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return sum;
}
