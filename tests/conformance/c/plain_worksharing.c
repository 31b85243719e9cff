/* Worksharing constructs without a barrier at their end are no task scheduling points: a thread
 * that comes to one, asks for a chunk, leaves it, or is far ahead of another begins no task. */
#include "waits.h"

enum { TRIP = 64, ROUNDS = 40 };
static long sum;

static void work(void)
{
#pragma omp atomic
    sum++;
}

int main(void)
{
#pragma omp parallel
    {
        make_some(8);
        nothing_begins(1);
        if (omp_get_thread_num() == omp_get_num_threads() - 1)
            usleep(LONG);
        for (int round = 0; round < ROUNDS; round++) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < TRIP; i++)
                work();
#pragma omp for schedule(guided) nowait
            for (int i = 0; i < TRIP; i++)
                work();
#pragma omp for schedule(monotonic : dynamic, 3) nowait
            for (int i = 0; i < TRIP; i++)
                work();
#pragma omp for schedule(static, 1) nowait
            for (int i = 0; i < TRIP; i++)
                work();
#pragma omp for ordered schedule(dynamic) nowait
            for (int i = 0; i < TRIP; i++) {
#pragma omp ordered
                work();
            }
#pragma omp sections nowait
            {
#pragma omp section
                work();
#pragma omp section
                work();
#pragma omp section
                work();
            }
#pragma omp single nowait
            work();
#pragma omp master
            work();
            if (round % 8 == 0)
                make_some(2);
        }
        nothing_begins(0);
    }
    CHECK_EQ(sum, ROUNDS * (5 * TRIP + 5));
    CHECK_EQ(done, check_threads() * (8 + ROUNDS / 8 * 2));
    return check_done();
}
