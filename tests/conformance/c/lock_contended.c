/* Locks, nest locks and critical sections with many threads that sleep and wake in them. */
#include "check.h"
#include <unistd.h>

int main(void)
{
    int n = check_threads();
    long a = 0, b = 0, c = 0, missed = 0;
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel reduction(+ : missed)
    for (int i = 0; i < 2000; i++) {
        omp_set_lock(&lock);
        a++;
        if (i % 500 == 0)
            usleep(200);
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        b++;
        if (i % 500 == 250)
            usleep(200);
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
#pragma omp critical(contended)
        {
            c++;
            if (i % 500 == 125)
                usleep(200);
        }
        if (omp_test_lock(&lock)) {
            a++;
            omp_unset_lock(&lock);
        } else {
            missed++;
        }
    }
    CHECK_EQ(a + missed, 4000l * n);
    CHECK_EQ(b, 2000l * n);
    CHECK_EQ(c, 2000l * n);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    return check_done();
}
