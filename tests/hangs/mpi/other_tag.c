// @kind: message-not-sent
// @says: has not come (tag 13, from rank
// A message comes with another tag than the one that its receiver waits for.
#include "../hang.h"

#include <mpi.h>

__attribute__((noinline)) static int exchange(int own, int other, int tag) {
    int value = 0;
    MPI_Request sent;
    MPI_Isend(&own, 1, MPI_INT, other, tag, MPI_COMM_WORLD, &sent);
    MPI_Recv(&value, 1, MPI_INT, other, tag + 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // <A>
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return value;
}

int main(int argc, char **argv) {
    int rank, sum = 0, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("child %d\n", (int)getpid());
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        #pragma omp master
        sum += exchange(rank, 1 - rank, 12); // <B>
        #pragma omp barrier // <B>
    }
    MPI_Finalize();
    return sum;
}
