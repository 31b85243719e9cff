// Rank 1 sends late, each time with the moment at which it began to; rank 0 waits for that in each
// of the ways that there are, and asks again and again whether it has come.
#include "jobs.h"

enum { ROUNDS = 8, MOST = 200000 };
static double sent[2];
static double begins[MOST], ends[MOST];
static int asked;

// A call that may be repeated before the messages have come.
#define ASK(call)                                                                                  \
    do {                                                                                           \
        begins[asked] = moment();                                                                  \
        TIMED(call);                                                                               \
        ends[asked] = moment();                                                                    \
        asked += asked < MOST - 1;                                                                 \
    } while (0)

// What of these calls was before the moment.
static double waited(double until)
{
    double sum = 0;
    for (int at = 0; at < asked; at++)
        sum += before(until, begins[at], ends[at]);
    asked = 0;
    return sum;
}

static void pause_for(double seconds)
{
    for (double until = moment() + seconds; moment() < until;)
        continue;
}

static void receive(MPI_Request *requests)
{
    for (int at = 0; at < 2; at++)
        TIMED(MPI_Irecv(&sent[at], 1, MPI_DOUBLE, 1, at, MPI_COMM_WORLD, &requests[at]));
}

// The second message comes right behind the first one, or later.
static void send_late(int tag)
{
    work(10);
    double now = moment();
    TIMED(MPI_Send(&now, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD));
}

static void sends(void)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int way = 0; way < 6; way++) {
            send_late(0);
            send_late(1);
        }
}

static void receives(void)
{
    double times[6] = {0};
    MPI_Request requests[2];
    int index, indices[2], count, is_done;
    for (int round = 0; round < ROUNDS; round++) {
        receive(requests);
        for (int left = 2; left > 0; left--) {
            ASK(MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
            times[0] += waited(sent[index]);
        }
        receive(requests);
        for (int left = 2; left > 0; left -= count) {
            ASK(MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE));
            times[1] += waited(sent[indices[0]]);
        }
        receive(requests);
        for (int at = 0; at < 2; at++) {
            for (is_done = 0; !is_done; pause_for(2e-5))
                ASK(MPI_Test(&requests[at], &is_done, MPI_STATUS_IGNORE));
            times[2] += waited(sent[at]);
        }
        receive(requests);
        for (is_done = 0; !is_done; pause_for(2e-5))
            ASK(MPI_Testall(2, requests, &is_done, MPI_STATUSES_IGNORE));
        times[3] += waited(sent[1]);
        receive(requests);
        for (int left = 2; left > 0; left -= is_done) {
            for (is_done = 0; !is_done; pause_for(2e-5))
                ASK(MPI_Testany(2, requests, &index, &is_done, MPI_STATUS_IGNORE));
            times[4] += waited(sent[index]);
        }
        receive(requests);
        for (int left = 2; left > 0; left -= count) {
            for (count = 0; count < 1; pause_for(2e-5))
                ASK(MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE));
            times[5] += waited(sent[indices[0]]);
        }
    }
    const char *names[] = {"Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome"};
    for (int at = 0; at < 6; at++)
        tell_waited(0, names[at], times[at]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD);
    #pragma omp parallel num_threads(2)
    work(1);
    if (rank == 0)
        receives();
    else
        sends();
    tell(rank);
    finish(rank);
}
