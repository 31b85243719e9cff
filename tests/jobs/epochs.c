// Windows whose ranks say to whom they give access and when it is over, and windows that all have
// access to all the time.
#include "jobs.h"

enum { ROUNDS = 10 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    int next = (rank + 1) % size, before = (rank + size - 1) % size, value = rank, is_over = 0;
    int *memory;
    MPI_Win window;
    MPI_Group all, giver, taker;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &next, &giver);
    MPI_Group_incl(all, 1, &before, &taker);
    TIMED(MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                           &window));
    for (int round = 0; round < ROUNDS; round++) {
        #pragma omp parallel num_threads(2)
        work(rank == 1 ? 8 : 2);
        TIMED(MPI_Win_post(taker, 0, window));
        TIMED(MPI_Win_start(giver, 0, window));
        TIMED(MPI_Put(&value, 1, MPI_INT, next, 0, 1, MPI_INT, window));
        TIMED(MPI_Win_complete(window));
        if (round % 2)
            TIMED(MPI_Win_wait(window));
        else
            for (is_over = 0; !is_over; work(0.05))
                TIMED(MPI_Win_test(window, &is_over));
    }
    TIMED(MPI_Win_lock_all(0, window));
    for (int round = 0; round < ROUNDS; round++) {
        work(rank == 1 ? 4 : 1);
        TIMED(MPI_Put(&value, 1, MPI_INT, next, 1, 1, MPI_INT, window));
        TIMED(MPI_Win_flush_local(next, window));
        TIMED(MPI_Win_flush(next, window));
        TIMED(MPI_Win_flush_all(window));
        TIMED(MPI_Win_sync(window));
        TIMED(MPI_Barrier(MPI_COMM_WORLD));
    }
    TIMED(MPI_Win_unlock_all(window));
    TIMED(MPI_Win_free(&window));
    tell(rank);
    finish(rank);
}
