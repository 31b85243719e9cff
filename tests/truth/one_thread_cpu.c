// healthy
// The program has one processor.
#define _GNU_SOURCE
#include "truth.h"
#include <sched.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    (void)argc;
    if (!getenv("AGAIN")) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(sched_getcpu(), &set);
        sched_setaffinity(0, sizeof set, &set);
        setenv("AGAIN", "1", 1);
        unsetenv("OMP_NUM_THREADS");
        execv("/proc/self/exe", argv);
    }
    double begin = now(), serial = 0, work = 0;
    for (int step = 0; step < 10; step++) {
        serial += burn(0.020);
        #pragma omp parallel reduction(+ : work) // mark: region
        work += burn(0.030);
    }
    truth("serial", serial);
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
