/* Threads that hold two locks at once, sections inside them, and others that sleep for each of
 * them. */
#include "check.h"
#include <unistd.h>

int main(void)
{
    int n = check_threads();
    long outer = 0, inner = 0, named = 0;
    omp_lock_t a, b;
    omp_init_lock(&a);
    omp_init_lock(&b);
#pragma omp parallel num_threads(n)
    for (int i = 0; i < 1000; i++) {
        int both = (i + omp_get_thread_num()) % 3;
        if (both != 1) {
            omp_set_lock(&a);
            outer++;
        }
        if (both != 2) {
            omp_set_lock(&b);
            inner++;
            /* Long enough for all others to fall asleep. */
            if (i % 250 == 7)
                usleep(300);
#pragma omp critical(within)
            {
                named++;
                if (i % 250 == 100)
                    usleep(300);
            }
            omp_unset_lock(&b);
        }
        if (both != 1) {
            if (i % 250 == 200)
                usleep(300);
            omp_unset_lock(&a);
        }
    }
    long sums[3] = {0};
    for (int t = 0; t < n; t++)
        for (int i = 0; i < 1000; i++)
            sums[(i + t) % 3]++;
    CHECK_EQ(outer, sums[0] + sums[2]);
    CHECK_EQ(inner, sums[0] + sums[1]);
    CHECK_EQ(named, inner);
    omp_destroy_lock(&a);
    omp_destroy_lock(&b);
    return check_done();
}
