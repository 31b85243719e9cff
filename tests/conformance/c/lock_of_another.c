/* A lock that another thread gives back than took it, while a third one sleeps for it: not what
 * OpenMP allows, but what programs do and every runtime lets them. */
#include "check.h"
#include <unistd.h>

int main(void)
{
    int n = check_threads();
    omp_lock_t lock;
    omp_init_lock(&lock);
    long got = 0;
    for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(n)
        {
            int me = omp_get_thread_num();
            if (me == 0)
                omp_set_lock(&lock);
#pragma omp barrier
            if (me == omp_get_num_threads() - 1) {
                usleep(300);
                omp_unset_lock(&lock);
            } else if (me != 0) {
                omp_set_lock(&lock);
                got++;
                omp_unset_lock(&lock);
            }
        }
    }
    CHECK_EQ(got, n > 2 ? 20l * (n - 2) : 0);
    CHECK(omp_test_lock(&lock));
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    return check_done();
}
