// Each thread of a rank talks to the same thread of its neighbours.
#include "jobs.h"

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    double sum = 0;
    long times = 0;
    #pragma omp parallel num_threads(3) reduction(+ : sum, times)
    for (int round = 0; round < 20; round++) {
        int tag = omp_get_thread_num(), got;
        work(rank == 0 ? 4 : 1);
        double begin = MPI_Wtime();
        MPI_Request request;
        MPI_Isend(&tag, 1, MPI_INT, next, tag, MPI_COMM_WORLD, &request);
        MPI_Recv(&got, 1, MPI_INT, before, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum += MPI_Wtime() - begin;
        times += 3;
    }
    in_mpi += sum;
    calls += times;
    tell(rank);
    finish(rank);
    return level < MPI_THREAD_MULTIPLE;
}
