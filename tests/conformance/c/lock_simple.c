/* Simple locks: set, unset, test. */
#include "check.h"

int main(void)
{
    int n = check_threads(), inside = 0, tried = 0;
    long count = 0, got = 0;
    omp_lock_t lock, array[100];
    omp_init_lock(&lock);
    CHECK(omp_test_lock(&lock));
    omp_unset_lock(&lock);
#pragma omp parallel
    for (int i = 0; i < 1000; i++) {
        omp_set_lock(&lock);
        CHECK_EQ(__atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED), 1);
        count++;
        __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
        omp_unset_lock(&lock);
        if (omp_test_lock(&lock)) {
            CHECK_EQ(__atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED), 1);
            got++;
            __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
            omp_unset_lock(&lock);
        } else {
#pragma omp atomic
            tried++;
        }
    }
    CHECK_EQ(count, 1000l * n);
    CHECK_EQ(got + tried, 1000l * n);
    omp_set_lock(&lock);
#pragma omp parallel num_threads(2)
    CHECK_EQ(omp_test_lock(&lock), 0);
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    for (int i = 0; i < 100; i++) {
        omp_init_lock(&array[i]);
        omp_set_lock(&array[i]);
    }
    for (int i = 0; i < 100; i++) {
        omp_unset_lock(&array[i]);
        omp_destroy_lock(&array[i]);
    }
    return check_done();
}
