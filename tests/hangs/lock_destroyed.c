// A lock is destroyed and made anew while others wait for it.
// @kind: lock-without-holder
// @says: The code destroys it at
#include "hang.h"

static omp_lock_t lock;

static void renew(void) {
    omp_destroy_lock(&lock); // <B>
    omp_init_lock(&lock);
}

int main(void) {
    omp_init_lock(&lock);
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&lock);
            wait_for_all(3);
            pause_a_little();
            renew();
            ready();
        } else {
            wait_for_all(3);
            omp_set_lock(&lock); // <A>
            omp_unset_lock(&lock);
        }
    }
    return 0;
}
