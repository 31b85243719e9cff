// Each construct of a team that has an event of its own in the oldest tool interface, and what the
// threads wait there.
#include "truth.h"

enum { STEPS = 12 };

static double arrived[2];
static double in_loop, in_dealt, in_single, in_sections, in_barrier, at_turn, at_lock, at_critical;
static double alone, single, ordered;
static own_t own[2];
static omp_lock_t lock;

static void work(int me, double seconds)
{
    own[me].seconds += burn(seconds);
    arrived[me] = now();
}

/// What the threads waited in the last barrier; the next thing that is timed begins behind it.
static void waited(double *at)
{
    #pragma omp barrier
    if (omp_get_thread_num() == 0)
        *at += waits(arrived, 2);
    #pragma omp barrier
}

static void step(int me)
{
    double asked;
    #pragma omp for schedule(static, 1) // mark: loop
    for (int i = 0; i < 2; i++)
        work(me, i ? 0.002 : 0.010);
    waited(&in_loop);
    arrived[me] = now();
    #pragma omp for schedule(dynamic) // mark: dealt
    for (int i = 0; i < 3; i++)
        work(me, i ? 0.006 : 0.001);
    waited(&in_dealt);
    arrived[me] = now();
    #pragma omp sections // mark: sections
    {
        #pragma omp section
        work(me, 0.008);
        #pragma omp section
        work(me, 0.001);
    }
    waited(&in_sections);
    arrived[me] = now();
    #pragma omp single // mark: single
    {
        double begin = now();
        work(me, 0.005);
        single += now() - begin;
    }
    waited(&in_single);
    work(me, me ? 0.001 : 0.005);
    #pragma omp barrier // mark: barrier
    waited(&in_barrier);
    #pragma omp for ordered schedule(static, 1) // mark: turns
    for (int i = 0; i < 4; i++) {
        asked = now();
        #pragma omp ordered // mark: ordered
        {
            at_turn += now() - asked;
            ordered += burn(0.003);
        }
    }
    asked = now();
    omp_set_lock(&lock); // mark: lock
    at_lock += now() - asked;
    own[me].seconds += burn(0.004);
    omp_unset_lock(&lock);
    waited(&(double){0});
    asked = now();
    #pragma omp critical(hot) // mark: critical
    {
        at_critical += now() - asked;
        own[me].seconds += burn(0.003);
    }
}

int main(void)
{
    double begin = now();
    omp_init_lock(&lock);
    #pragma omp parallel num_threads(2) // mark: region
    for (int i = 0; i < STEPS; i++) {
        #pragma omp master // mark: master
        alone += burn(0.004);
        step(omp_get_thread_num());
    }
    truth("instances@region", 1);
    truth("work@region", sum_of(own, 2) + alone + ordered);
    truth("wait@loop", in_loop);
    truth("instances@loop", STEPS);
    truth("wait@dealt", in_dealt);
    truth("instances@dealt", STEPS);
    truth("wait@sections", in_sections);
    truth("instances@sections", STEPS);
    truth("wait@single", in_single);
    truth("time@single", single);
    truth("instances@single", STEPS);
#ifdef __clang__
    // gcc's code makes no call for it.
    truth("time@master", alone);
    truth("instances@master", STEPS);
#endif
    truth("wait@barrier", in_barrier);
    truth("instances@barrier", STEPS);
    truth("wait@ordered", at_turn);
    truth("time@ordered", ordered);
    truth("instances@ordered", 4 * STEPS);
    truth("lock_wait@lock", at_lock);
    truth("lock_wait@critical", at_critical);
    truth("mutex_wait", at_turn + at_lock + at_critical);
    truth("elapsed", now() - begin);
}
