// Persistent requests: rank 1 starts to send late, with the moment at which it did; rank 0 waits
// for one, and for several.
#include "jobs.h"

enum { ROUNDS = 10 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD), other = 1 - rank;
    #pragma omp parallel num_threads(2)
    work(1);
    double values[3], one = 0, all = 0;
    MPI_Request requests[3];
    for (int at = 0; at < 3; at++) {
        if (rank == 0)
            TIMED(MPI_Recv_init(&values[at], 1, MPI_DOUBLE, other, at, MPI_COMM_WORLD,
                                &requests[at]));
        else
            TIMED(MPI_Send_init(&values[at], 1, MPI_DOUBLE, other, at, MPI_COMM_WORLD,
                                &requests[at]));
    }
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 1)
            work(15);
        values[0] = moment();
        TIMED(MPI_Start(&requests[0]));
        double begin = moment();
        TIMED(MPI_Wait(&requests[0], MPI_STATUS_IGNORE)); // waits for one
        one += before(values[0], begin, moment());
        if (rank == 1)
            work(15);
        values[1] = values[2] = moment();
        TIMED(MPI_Startall(2, &requests[1]));
        begin = moment();
        TIMED(MPI_Waitall(2, &requests[1], MPI_STATUSES_IGNORE)); // waits for two
        all += before(values[2], begin, moment());
    }
    for (int at = 0; at < 3; at++)
        TIMED(MPI_Request_free(&requests[at]));
    if (rank == 0) {
        tell_waited(rank, "Wait", one);
        tell_waited(rank, "Waitall", all);
    }
    tell(rank);
    finish(rank);
}
