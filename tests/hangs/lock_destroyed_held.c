// A thread destroys a lock that it holds, without giving it back; another one waits for it.
// @kind: barrier-in-cycle
// @says: main destroys at lock_destroyed_held.c:23 what it takes at lock_destroyed_held.c:19
#include "hang.h"

static omp_lock_t lock;
static double total;

int main(void) {
    omp_init_lock(&lock);
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            wait_for_all(2);
            omp_set_lock(&lock); // <A>
            total += 2;
            omp_unset_lock(&lock);
        } else {
            omp_set_lock(&lock);
            total += 1;
            wait_for_all(2);
            pause_a_little();
            omp_destroy_lock(&lock); // <B>
            ready();
        }
    }
    return total > 100;
}
