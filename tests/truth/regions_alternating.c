// Two sites of short regions by turns: the one is a reduction in which threads have unequal shares,
// the other has a loop with its barrier. Now and then a thread sleeps in one, or works for long.
#include "truth.h"
#include <unistd.h>

#ifndef THREADS
#define THREADS 2
#endif

enum { ROUNDS = 4000, SELDOM = 500 };

static own_t worked[2][THREADS], slept[THREADS];
static double values[256];

static void nap(int me)
{
    double begin = now();
    usleep(3000);
    slept[me].seconds += now() - begin;
}

int main(void)
{
    double begin = now(), sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int kind = i % SELDOM;
        #pragma omp parallel num_threads(THREADS) reduction(+ : sum) // mark: sums
        {
            int me = omp_get_thread_num();
            double time = burn((1 + 2 * me) * 1e-6);
            if (kind == 100 && me == THREADS - 1)
                nap(me);
            if (kind == 200 && me == THREADS - 1)
                time += burn(5e-3);
            sum += me;
            worked[0][me].seconds += time;
        }
        double serial = burn(1e-6);
        #pragma omp parallel num_threads(THREADS) // mark: loop
        {
            int me = omp_get_thread_num();
            double time = burn(2e-6);
            if (kind == 300 && me == 0)
                nap(me);
            if (kind == 400 && me == 0)
                time += burn(5e-3);
            #pragma omp for schedule(static)
            for (int at = 0; at < 256; at++)
                values[at] += serial;
            worked[1][me].seconds += time;
        }
    }
    truth("work@sums", sum_of(worked[0], THREADS));
    truth("work@loop", sum_of(worked[1], THREADS));
    truth("instances@sums", ROUNDS);
    truth("instances@loop", ROUNDS);
    truth("blocked", sum_of(slept, THREADS));
    truth("elapsed", now() - begin);
    return sum == ROUNDS * (THREADS * (THREADS - 1) / 2.0) ? 0 : 1;
}
