// A thread waits for a flag and executes tasks meanwhile: one of them computes for long, and sets
// the flag in the end. The other thread waits for the first one.
// @kind: none
// @ours: on GCC's runtime, whose taskyield does nothing, it hangs.
#include "hang.h"

static int flag;
static volatile long sum;

static void compute(void) {
    for (long more = 0; more < 1L << 40; more++) sum += more ^ sum;
    #pragma omp atomic write
    flag = 1;
}

static void __attribute__((noinline)) until_set(void) {
    for (;;) {
        int seen;
        #pragma omp atomic read
        seen = flag;
        if (seen) return;
        #pragma omp taskyield
    }
}

int main(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            #pragma omp task
            compute();
            until_set();
            omp_unset_lock(&lock);
        } else {
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
        }
    }
    return 0;
}
