// The tag is a number of a structure's, and one rank has counted on: no message has the tag that
// its receiver waits for.
#include "../hang.h"

#include <mpi.h>
#include <stdlib.h>

struct domain {
    int rank, size, step;
};

static int __attribute__((noinline)) exchange(struct domain *own) {
    int value = 0, other = (own->rank + 1) % own->size;
    MPI_Request sent;
    MPI_Isend(&own->rank, 1, MPI_INT, other, 100 + own->step, MPI_COMM_WORLD, &sent);
    MPI_Recv(&value, 1, MPI_INT, other, 100 + own->step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return value;
}

int main(int argc, char **argv) {
    struct domain *own = calloc(1, sizeof *own);
    int level, sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &own->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &own->size);
    own->step = own->rank == 1 ? 4 : 3;
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num();
    printf("child %d\n", (int)getpid());
    ready();
    sum += exchange(own);
    MPI_Finalize();
    return sum;
}
