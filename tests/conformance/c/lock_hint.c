/* Locks made with a hint are locks. */
/* @compilers: clang — gcc 12 declares the routines, but its runtime lacks them */
#include "check.h"

int main(void)
{
    static const omp_lock_hint_t hints[] = {
        omp_lock_hint_none, omp_lock_hint_uncontended, omp_lock_hint_contended,
        omp_lock_hint_nonspeculative, omp_lock_hint_speculative};
    for (int h = 0; h < 5; h++) {
        omp_lock_t lock;
        omp_nest_lock_t nest;
        long count = 0;
        omp_init_lock_with_hint(&lock, hints[h]);
        omp_init_nest_lock_with_hint(&nest, hints[h]);
#pragma omp parallel
        for (int i = 0; i < 100; i++) {
            omp_set_lock(&lock);
            count++;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            omp_set_lock(&lock);
            count++;
            omp_unset_lock(&lock);
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
        }
        CHECK_EQ(count, 200l * check_threads());
        omp_destroy_lock(&lock);
        omp_destroy_nest_lock(&nest);
    }
    return check_done();
}
