// Collective calls that begin, and are waited for later: rank 1 begins each one late. Each rank
// tells what it waited, by the moments at which all began.
#include "jobs.h"

enum { ROUNDS = 10 };
static int rank, size;

// When the last rank began, or the root.
static double gathered(double begin, int root)
{
    double all[64], last = 0;
    TIMED(MPI_Allgather(&begin, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, MPI_COMM_WORLD));
    for (int at = 0; at < size; at++)
        last = all[at] > last ? all[at] : last;
    return root < 0 ? last : all[root];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    #pragma omp parallel num_threads(2)
    work(1);
    double waited = 0, value = rank, sum;
    for (int round = 0; round < ROUNDS; round++)
        for (int kind = 0; kind < 3; kind++) {
            MPI_Request request;
            if (rank == 1)
                work(10);
            double begun = moment();
            if (kind == 0)
                TIMED(MPI_Ibarrier(MPI_COMM_WORLD, &request));
            else if (kind == 1)
                TIMED(MPI_Iallreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                                     &request));
            else
                TIMED(MPI_Ibcast(&value, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD, &request));
            double begin = moment();
            TIMED(MPI_Wait(&request, MPI_STATUS_IGNORE)); // waits for what was begun
            double end = moment();
            waited += before(gathered(begun, kind == 2 ? 1 : -1), begin, end);
        }
    tell_waited(rank, "Wait", waited);
    tell(rank);
    finish(rank);
}
