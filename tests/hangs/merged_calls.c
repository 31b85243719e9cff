// A compiler makes one call of those that two branches end in: the line of each is named.
// @kind: system-call
// @debuggers
// @also: -O2
#include "hang.h"

static omp_lock_t gate;
static volatile int which;

int main(int words, char **program) {
    (void)program;
    omp_init_lock(&gate);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&gate);
            wait_for_all(2);
            pause(); // <A>
        }
        wait_for_all(2);
        if (words > 5) {
            which = 1;
            omp_set_lock(&gate);
        } else {
            which = 2;
            omp_set_lock(&gate); // <B>
        }
        which = 3;
        omp_unset_lock(&gate);
    }
    return which;
}
