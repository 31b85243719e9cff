// Two threads call MPI at once, each on a communicator of its own.
#include "jobs.h"

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    int rank = rank_of(MPI_COMM_WORLD);
    MPI_Comm own[2];
    for (int i = 0; i < 2; i++)
        TIMED(MPI_Comm_dup(MPI_COMM_WORLD, &own[i]));
    double sum = 0;
    long times = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum, times)
    for (int round = 0; round < 20; round++) {
        double begin = MPI_Wtime();
        MPI_Barrier(own[omp_get_thread_num()]);
        sum += MPI_Wtime() - begin;
        times++;
        work(1);
    }
    in_mpi += sum;
    calls += times;
    tell(rank);
    MPI_Finalize();
    return level < MPI_THREAD_MULTIPLE;
}
