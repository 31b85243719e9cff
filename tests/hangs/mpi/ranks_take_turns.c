// Nothing is wrong: one rank works for 0.12 seconds while the other one waits for its message; then
// they change places.
#include "../hang.h"

#include <mpi.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static double work(double seconds) {
    double begin = now(), sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    while (now() - begin < seconds)
        for (int i = 0; i < 1000; i++) sum += 1.0 / (i + 1);
    return sum;
}

int main(int argc, char **argv) {
    int rank, level;
    double sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("child %d\n", (int)getpid());
    ready();
    for (int turn = 0; turn < 2000; turn++) {
        if (turn % 2 == rank) {
            sum += work(0.12);
            MPI_Send(&sum, 1, MPI_DOUBLE, 1 - rank, turn, MPI_COMM_WORLD);
        } else
            MPI_Recv(&sum, 1, MPI_DOUBLE, 1 - rank, turn, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return sum < 0;
}
