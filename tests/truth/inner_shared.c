// One function's region that sleeps and waits, entered from two regions and from serial code.
#include "truth.h"
#include <unistd.h>

APART void inner(double seconds, double *work, double *asleep)
{
    double sum = 0, away = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum, away) // mark: inner
    {
        sum += burn(seconds);
        #pragma omp barrier // mark: barrier
        double from = now();
        usleep(4000);
        away += now() - from;
    }
    *work += sum, *asleep += away;
}

int main(void)
{
    double begin = now(), work[3] = {0}, asleep[3] = {0};
    omp_set_max_active_levels(3);
    for (int step = 0; step < 10; step++) {
        #pragma omp parallel num_threads(1) // mark: one
        inner(0.004, &work[0], &asleep[0]);
        #pragma omp parallel num_threads(1) // mark: two
        inner(0.012, &work[1], &asleep[1]);
        inner(0.008, &work[2], &asleep[2]);
    }
    truth("work@inner", work[0] + work[1] + work[2]);
    truth("blocked@inner", asleep[0] + asleep[1] + asleep[2]);
    truth("blocked", asleep[0] + asleep[1] + asleep[2]);
    truth("instances@inner", 30);
    truth("instances@barrier", 30);
    truth("elapsed", now() - begin);
}
