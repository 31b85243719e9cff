// @kind: message-not-sent
// @says: not all processes that take part have come to it
// A barrier of MPI's that the ranks call for different communicators.
#include "../hang.h"

#include <mpi.h>

int main(int argc, char **argv) {
    int rank, sum = 0, level;
    MPI_Comm other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    printf("child %d\n", (int)getpid());
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        #pragma omp master
        MPI_Barrier(rank ? MPI_COMM_WORLD : other); // <A>
        #pragma omp barrier // <B>
        sum++;
    }
    MPI_Finalize();
    return sum;
}
