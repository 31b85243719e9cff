// A ring of ranks that exchange by collective calls of neighbours, and by messages in parts, where
// the library has such.
#include "jobs.h"

enum { ROUNDS = 10, PARTS = 4, COUNT = 1024 };
static double from[2 * COUNT], to[2 * COUNT];

#if MPI_VERSION >= 4
// Threads get the parts ready.
static void in_parts(int before, int next)
{
    MPI_Request requests[2];
    MPI_Info none = MPI_INFO_NULL;
    int tag = 7, is_there = 0;
    TIMED(MPI_Psend_init(from, PARTS, COUNT / PARTS, MPI_DOUBLE, next, tag, MPI_COMM_WORLD, none,
                         &requests[0]));
    TIMED(MPI_Precv_init(to, PARTS, COUNT / PARTS, MPI_DOUBLE, before, tag, MPI_COMM_WORLD, none,
                         &requests[1]));
    for (int round = 0; round < ROUNDS; round++) {
        TIMED(MPI_Startall(2, requests));
        work(2);
        for (int part = 0; part < PARTS; part++)
            TIMED(MPI_Pready(part, requests[0]));
        for (is_there = 0; !is_there; work(0.05))
            TIMED(MPI_Parrived(requests[1], PARTS - 1, &is_there));
        TIMED(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    for (int at = 0; at < 2; at++)
        TIMED(MPI_Request_free(&requests[at]));
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD), round_trip = 1;
    MPI_Comm ring;
    MPI_Request request;
    TIMED(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &round_trip, 0, &ring));
    for (int round = 0; round < ROUNDS; round++) {
        #pragma omp parallel num_threads(2)
        work(rank == 1 ? 8 : 2);
        TIMED(MPI_Neighbor_allgather(from, COUNT, MPI_DOUBLE, to, COUNT, MPI_DOUBLE, ring));
        TIMED(MPI_Neighbor_alltoall(from, COUNT, MPI_DOUBLE, to, COUNT, MPI_DOUBLE, ring));
        TIMED(MPI_Ineighbor_alltoall(from, COUNT, MPI_DOUBLE, to, COUNT, MPI_DOUBLE, ring,
                                     &request));
        work(1);
        TIMED(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
#if MPI_VERSION >= 4
    in_parts((rank + size - 1) % size, (rank + 1) % size);
#endif
    TIMED(MPI_Comm_free(&ring));
    tell(rank);
    finish(rank);
}
