// The program binds itself to one processor and asks for two threads.
#define _GNU_SOURCE
#include "truth.h"
#include <sched.h>

int main(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set);
    double begin = now(), region = 0;
    for (int step = 0; step < 15; step++) {
        double from = now();
        #pragma omp parallel num_threads(2) // mark: region, disease: placement
        for (int i = 0; i < 4; i++) {
            burn(0.004);
            #pragma omp barrier
        }
        region += now() - from;
    }
    truth("cpus", 1);
    truth("region@region", region);
    truth("instances@region", 15);
    truth("elapsed", now() - begin);
}
