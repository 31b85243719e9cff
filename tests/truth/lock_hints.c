// Locks with hints, one of which is tried again and again beside work.
#include "truth.h"

// GCC's own runtime, which gcc links with, has no such routine.
#pragma weak omp_init_lock_with_hint

static omp_lock_t queue, spare;
static own_t held[2], work[2], wait[2];

int main(void)
{
    double begin = now();
    omp_init_lock_with_hint(&queue, omp_sync_hint_contended);
    omp_init_lock_with_hint(&spare, omp_sync_hint_uncontended);
    #pragma omp parallel num_threads(2) // mark: region
    for (int i = 0; i < 40; i++) {
        int me = omp_get_thread_num();
        double asked = now();
        omp_set_lock(&queue); // mark: queue, disease: hot-mutex
        wait[me].seconds += now() - asked;
        held[me].seconds += burn(0.006);
        omp_unset_lock(&queue);
        while (!omp_test_lock(&spare)) // mark: spare
            work[me].seconds += burn(0.0002);
        work[me].seconds += burn(0.001);
        omp_unset_lock(&spare);
    }
    truth("held@queue", sum_of(held, 2));
    truth("lock_wait@queue", sum_of(wait, 2));
    truth("acquisitions@queue", 80);
    truth("acquisitions@spare", 80);
    truth("work@region", sum_of(held, 2) + sum_of(work, 2));
    truth("elapsed", now() - begin);
}
