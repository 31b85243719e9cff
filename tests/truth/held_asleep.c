// A thread sleeps and writes while it holds a lock that the others wait for: that sleep is the
// lock's as well as the region's.
#define _POSIX_C_SOURCE 200809L
#include "truth.h"

static omp_lock_t journal;

APART double note(void)
{
    omp_set_lock(&journal); // mark: lock
    double begin = now();
    struct timespec pause = {0, 2000000};
    nanosleep(&pause, NULL);
    double slept = now() - begin;
    omp_unset_lock(&journal);
    return slept;
}

int main(void)
{
    double begin = now();
    own_t own[2] = {{0}};
    omp_init_lock(&journal);
    #pragma omp parallel num_threads(2) // mark: region, disease: blocked
    for (int i = 0; i < 100; i++) {
        own[omp_get_thread_num()].seconds += note();
        burn_ran(0.0005);
    }
    omp_destroy_lock(&journal);
    truth("held_asleep@lock", sum_of(own, 2));
    truth("acquisitions@lock", 200);
    truth("elapsed", now() - begin);
}
