// Ranks write into each other's memory, between fences and under locks.
#include "jobs.h"

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    int next = (rank + 1) % size, *memory;
    MPI_Win window;
    TIMED(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                           &window));
    for (int round = 0; round < 20; round++) {
        #pragma omp parallel num_threads(2)
        work(rank == 1 ? 8 : 2);
        TIMED(MPI_Win_fence(0, window));
        TIMED(MPI_Put(&rank, 1, MPI_INT, next, 0, 1, MPI_INT, window));
        TIMED(MPI_Win_fence(0, window));
    }
    for (int round = 0; round < 20; round++) {
        int there;
        TIMED(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window));
        TIMED(MPI_Get(&there, 1, MPI_INT, next, 0, 1, MPI_INT, window));
        TIMED(MPI_Win_unlock(next, window));
        work(1);
    }
    TIMED(MPI_Win_free(&window));
    tell(rank);
    finish(rank);
    return 0;
}
