// Asks for one calling thread, and calls from two, one after the other.
#include "jobs.h"

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    int rank = rank_of(MPI_COMM_WORLD);
    #pragma omp parallel num_threads(2)
    for (int round = 0; round < 10; round++) {
        if (omp_get_thread_num() == round % 2)
            TIMED(MPI_Barrier(MPI_COMM_WORLD));
        #pragma omp barrier
    }
    tell(rank);
    MPI_Finalize();
    return 0;
}
