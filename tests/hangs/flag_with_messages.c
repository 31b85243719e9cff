// A member polls a flag and says so now and then. The flag is set behind the barrier at which the
// other one waits.
// @kind: spins
// @says: for the variable 'loaded' to change
// @alone
// @also: -O0
#include "hang.h"

static volatile int loaded;

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            long rounds = 0;
            while (!loaded) {  // <A>
                usleep(1000);  // <A>
                if (++rounds % 500 == 0) fprintf(stderr, "still waiting\n");
            }
        }
        #pragma omp barrier // <B>
        #pragma omp single
        loaded = 1;
    }
    return 0;
}
