// A function leaves early and keeps the lock of a window: the other rank waits for that lock.
#include "../hang.h"

#include <mpi.h>

static int __attribute__((noinline)) take(MPI_Win window, int wanted) {
    int left = 0, none = 0, minus = -wanted;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get_accumulate(&none, 1, MPI_INT, &left, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, window);
    MPI_Win_flush(0, window);
    if (wanted > left)
        return 0;
    MPI_Accumulate(&minus, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_unlock(0, window);
    return wanted;
}

int main(int argc, char **argv) {
    int rank, level, *memory, sum = 0;
    MPI_Win window;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 100;
    MPI_Barrier(MPI_COMM_WORLD);
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num();
    if (rank == 1) sum += take(window, 200);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("child %d\n", (int)getpid());
    ready();
    if (rank == 0) sum += take(window, 10);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    MPI_Finalize();
    return sum;
}
