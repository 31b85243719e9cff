// Nothing is wrong: a thread counts in memory until an alarm ends the program, and another one
// waits for it at a barrier.
// @kind: none
// @never: store nothing
// @also: -O2
#include "hang.h"

#include <signal.h>

static volatile long count;
static long finer[8];

static void report(int number) {
    (void)number;
    _exit(count == 0);
}

static void __attribute__((noinline)) until_the_alarm(long *at) {
    for (;;) (*at)++;
}

int main(void) {
    ready();
    signal(SIGALRM, report);
    #pragma omp parallel num_threads(2)
    {
        #pragma omp masked
        until_the_alarm(&finer[omp_get_thread_num()]);
        #pragma omp barrier
        count++;
    }
    return 0;
}
