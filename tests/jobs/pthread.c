// A thread that OpenMP knows nothing of receives, while the others work.
#include "jobs.h"
#include <pthread.h>

static double in_thread;
static long by_thread;

static void *receiver(void *from)
{
    for (int round = 0; round < 20; round++) {
        int got;
        double begin = MPI_Wtime();
        MPI_Recv(&got, 1, MPI_INT, *(int *)from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        in_thread += MPI_Wtime() - begin;
        by_thread++;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    pthread_t thread;
    pthread_create(&thread, 0, receiver, &before);
    for (int round = 0; round < 20; round++) {
        #pragma omp parallel num_threads(2)
        work(3);
        TIMED(MPI_Send(&round, 1, MPI_INT, next, 0, MPI_COMM_WORLD));
    }
    pthread_join(thread, 0);
    in_mpi += in_thread;
    calls += by_thread;
    tell(rank);
    finish(rank);
    return level < MPI_THREAD_MULTIPLE;
}
