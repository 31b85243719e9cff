// Collective calls that are made once and started again and again, where the library has them
// (MPI 4).
#include "jobs.h"

enum { ROUNDS = 20, COUNT = 1 << 10 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD);
#if MPI_VERSION >= 4
    static double sent[COUNT], got[COUNT];
    MPI_Comm all = MPI_COMM_WORLD;
    MPI_Request requests[4];
    TIMED(MPI_Barrier_init(all, MPI_INFO_NULL, &requests[0]));
    TIMED(MPI_Bcast_init(sent, COUNT, MPI_DOUBLE, 0, all, MPI_INFO_NULL, &requests[1]));
    TIMED(MPI_Allreduce_init(sent, got, COUNT, MPI_DOUBLE, MPI_SUM, all, MPI_INFO_NULL,
                             &requests[2]));
    TIMED(MPI_Reduce_init(sent, got, COUNT, MPI_DOUBLE, MPI_SUM, 1, all, MPI_INFO_NULL,
                          &requests[3]));
    for (int round = 0; round < ROUNDS; round++) {
        #pragma omp parallel num_threads(2)
        work(rank == 1 ? 8 : 2);
        for (int i = 0; i < 4; i++) {
            TIMED(MPI_Start(&requests[i]));
            TIMED(MPI_Wait(&requests[i], MPI_STATUS_IGNORE));
        }
    }
    for (int i = 0; i < 4; i++)
        TIMED(MPI_Request_free(&requests[i]));
#else
    puts("no persistent collective calls");
#endif
    tell(rank);
    finish(rank);
}
