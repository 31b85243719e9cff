// Teams of one to sixteen threads, with alike and with different work: what each thread ran is its
// Work by its own clock, however many want the processors. Who waits in a barrier spins there as
// long as it may, which is no Work.
#include "own_clock.h"

#define STEPS 200000

static clock_t_of one[1], two[2], three[3], eight[8], sixteen[16];

int main(void)
{
    for (int step = 0; step < 10; step++) {
        #pragma omp parallel num_threads(1) // mark: one
        piece(&one[0], 10 * STEPS);
        #pragma omp parallel num_threads(2) // mark: two
        piece(&two[omp_get_thread_num()], 10 * STEPS);
        #pragma omp parallel num_threads(3) // mark: three
        {
            int me = omp_get_thread_num();
            piece(&three[me], (1 + 5 * me) * STEPS);
            #pragma omp barrier
            piece(&three[me], (1 + 5 * (2 - me)) * STEPS);
        }
        #pragma omp parallel num_threads(8) // mark: eight
        piece(&eight[omp_get_thread_num()], 5 * STEPS);
        #pragma omp parallel num_threads(16) // mark: sixteen
        piece(&sixteen[omp_get_thread_num()], (omp_get_thread_num() == 5 ? 20 : 2) * STEPS);
    }
    tell("one", one, 1);
    tell("two", two, 2);
    tell("three", three, 3);
    tell("eight", eight, 8);
    tell("sixteen", sixteen, 16);
}
