// Nothing is wrong: a rank sleeps for a long time before it sends what the other one waits for.
#include "../hang.h"

#include <mpi.h>

int main(int argc, char **argv) {
    int rank, sum = 1, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("child %d\n", (int)getpid());
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            if (rank == 0) MPI_Recv(&sum, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1) sleep(200);
            if (rank == 1) MPI_Send(&sum, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
        #pragma omp barrier
    }
    MPI_Finalize();
    return sum;
}
