/* Nest locks: their owner may set them again; the count comes back from test. */
#include "check.h"

int main(void)
{
    int n = check_threads();
    long count = 0;
    omp_nest_lock_t lock;
    omp_init_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 1);
    CHECK_EQ(omp_test_nest_lock(&lock), 2);
    omp_set_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 4);
    for (int i = 0; i < 4; i++)
        omp_unset_nest_lock(&lock);
#pragma omp parallel
    for (int i = 0; i < 500; i++) {
        omp_set_nest_lock(&lock);
        omp_set_nest_lock(&lock);
        count++;
        CHECK_EQ(omp_test_nest_lock(&lock), 3);
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        count++;
        omp_unset_nest_lock(&lock);
    }
    CHECK_EQ(count, 1000l * n);
    omp_set_nest_lock(&lock);
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() > 0)
        CHECK_EQ(omp_test_nest_lock(&lock), 0);
    omp_unset_nest_lock(&lock);
    omp_destroy_nest_lock(&lock);
    return check_done();
}
