// Calls whose counts are large numbers, where the library has them (MPI 4).
#include "jobs.h"

enum { ROUNDS = 20, COUNT = 1 << 10 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD);
#if MPI_VERSION >= 4
    static double sent[COUNT], got[2 * COUNT];
    MPI_Comm all = MPI_COMM_WORLD;
    MPI_Count count = COUNT;
    for (int round = 0; round < ROUNDS; round++) {
        #pragma omp parallel num_threads(2)
        work(rank == 1 ? 8 : 2);
        TIMED(MPI_Allreduce_c(sent, got, count, MPI_DOUBLE, MPI_SUM, all));
        TIMED(MPI_Gather_c(sent, count, MPI_DOUBLE, got, count, MPI_DOUBLE, 1, all));
        if (rank == 0)
            TIMED(MPI_Recv_c(got, count, MPI_DOUBLE, 1, round, all, MPI_STATUS_IGNORE));
        else
            TIMED(MPI_Ssend_c(sent, count, MPI_DOUBLE, 0, round, all));
    }
#else
    puts("no large counts");
#endif
    tell(rank);
    finish(rank);
}
