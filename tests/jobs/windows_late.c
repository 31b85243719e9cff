// Windows: rank 1 comes late to each fence, and each rank has access to rank 0's part for a while,
// one after the other. Each tells what it waited at fences, by the moments at which all came.
#include "jobs.h"

enum { ROUNDS = 8 };
static int rank, size;

// When the last rank came.
static double gathered(double come)
{
    double last;
    TIMED(MPI_Allreduce(&come, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
    return last;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    #pragma omp parallel num_threads(2)
    work(1);
    double *part, value = rank, fences = 0;
    MPI_Win window;
    TIMED(MPI_Win_allocate(size * sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &part,
                           &window));
    TIMED(MPI_Win_fence(0, window));
    for (int round = 0; round < ROUNDS; round++) {
        TIMED(MPI_Put(&value, 1, MPI_DOUBLE, (rank + 1) % size, rank, 1, MPI_DOUBLE, window));
        if (rank == 1)
            work(10);
        double begin = moment();
        TIMED(MPI_Win_fence(0, window)); // waits at a fence
        double end = moment();
        fences += before(gathered(begin), begin, end);
    }
    for (int round = 0; round < ROUNDS; round++) {
        TIMED(MPI_Barrier(MPI_COMM_WORLD));
        TIMED(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window));
        TIMED(MPI_Put(&value, 1, MPI_DOUBLE, 0, rank, 1, MPI_DOUBLE, window));
        TIMED(MPI_Win_flush(0, window));
        work(5);
        TIMED(MPI_Win_unlock(0, window));
    }
    TIMED(MPI_Win_free(&window));
    tell_waited(rank, "Win_fence", fences);
    tell(rank);
    finish(rank);
}
