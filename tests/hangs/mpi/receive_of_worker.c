// @kind: message-not-sent
// @says: is in MPI_Recv
// A message that nobody sends: a worker of each rank waits for the other one's.
#include "../hang.h"

#include <mpi.h>

int main(int argc, char **argv) {
    int rank, sum = 0, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("child %d\n", (int)getpid());
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) {
            int value = 0;
            MPI_Recv(&value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // <A>
            sum += value;
        }
        #pragma omp barrier // <B>
        sum++;
    }
    MPI_Finalize();
    return sum;
}
