// A rank keeps the lock of a file while it waits in a barrier for the rank that wants that lock.
#include "../hang.h"

#include <fcntl.h>
#include <mpi.h>

static int file;

static void __attribute__((noinline)) set(short kind) {
    struct flock lock = {.l_type = kind, .l_whence = SEEK_SET};
    fcntl(file, F_SETLKW, &lock);
}

static void __attribute__((noinline)) append(int rank) {
    set(F_WRLCK);
    dprintf(file, "%d\n", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    set(F_UNLCK);
}

int main(int argc, char **argv) {
    int rank, level, number = getpid(), sum = 0;
    char name[64];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/tmp/omphalos-file-lock-%d", number);
    file = open(name, O_RDWR | O_CREAT, 0600);
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num();
    MPI_Barrier(MPI_COMM_WORLD);
    unlink(name);
    printf("child %d\n", (int)getpid());
    ready();
    if (rank == 1) usleep(300000);
    append(rank);
    MPI_Finalize();
    return sum < 0;
}
