// A number that is neither atomic nor volatile: the compiler reads it once, and the loop compares
// registers.
// @kind: spins
// @says: the variable 'ready_steps' (now 1) at flag_in_a_register.c:1
#include "hang.h"

static int ready_steps;

// The address of another function's variable keeps `wanted` from being a constant.
static void __attribute__((noinline)) await(const int *wanted) {
    int steps = *wanted;
    while (ready_steps < steps) {} // <A>
}

static void __attribute__((noinline)) produce(int steps) { ready_steps = steps; }

int main(void) {
    int steps = getpid() > 0;
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) await(&steps);
        else {
            pause_a_little();
            produce(steps);
        }
        #pragma omp barrier
    }
    return 0;
}
