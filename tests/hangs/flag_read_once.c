// A flag that is neither atomic nor volatile: the compiler reads it once, before the loop.
// @kind: spins
// @says: at flag_read_once.c:12 once before it
// @never: by itself
#include "hang.h"

static struct {
    double data[64];
    int arrived;
} halo[4];
static void __attribute__((noinline)) wait_for_it(void) {
    for (;;) if (halo[1].arrived) return; // <A>
}

static void __attribute__((noinline)) tell(void) { halo[1].arrived = 1; } // <B>

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) wait_for_it();
        usleep(500000);
        tell();
        #pragma omp barrier
    }
    return 0;
}
