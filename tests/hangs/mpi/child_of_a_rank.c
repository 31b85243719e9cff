// A rank has begun a program, which has the rank's environment and is no rank of the job.
#include "../hang.h"

#include <mpi.h>
#include <sys/wait.h>

static int begin_counting(void) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    if (fork() == 0) {
        dup2(ends[0], 0);
        close(ends[0]);
        close(ends[1]);
        execlp("wc", "wc", "-c", (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    return ends[1];
}

int main(int argc, char **argv) {
    int rank, value = 0, level, text = -1;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) text = begin_counting();
    printf("child %d\n", (int)getpid());
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : value)
    value += rank;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    close(text);
    MPI_Finalize();
    return 0;
}
