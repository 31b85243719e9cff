// A member polls a flag and says so now and then: its rounds come back to their beginning in two
// ways, each of which reads the flag. The flag is set behind the barrier at which the other waits.
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
        again:
            usleep(1000); // <A>
            if (++rounds % 500) {
                if (!loaded) goto again; // <A>
                goto out;
            }
            fprintf(stderr, "still waiting\n");
            if (!loaded) goto again; // <A>
        out:;
        }
        #pragma omp barrier // <B>
        #pragma omp single
        loaded = 1;
    }
    return 0;
}
