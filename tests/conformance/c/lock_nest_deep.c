/* A nest lock is held as often as its owner likes: more often than a word of the lock has room for.
 * Others get it when the owner has given it back as often, and not before. */
#include "check.h"

enum { HOLDS = 600000 };

static int others_try(omp_nest_lock_t *lock)
{
    int got = 0;
#pragma omp parallel num_threads(2) reduction(+ : got)
    if (omp_get_thread_num() == omp_get_num_threads() - 1 && omp_get_num_threads() > 1) {
        got = omp_test_nest_lock(lock);
        if (got)
            omp_unset_nest_lock(lock);
    }
    return got;
}

int main(void)
{
    omp_nest_lock_t lock, other;
    omp_init_nest_lock(&lock);
    omp_init_nest_lock(&other);
    int several = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    several = omp_get_num_threads() > 1;
    for (int i = 0; i < HOLDS; i++)
        omp_set_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), HOLDS + 1);
    /* Another one beside it. */
    for (int i = 1; i <= HOLDS; i++)
        if (omp_test_nest_lock(&other) != i)
            CHECK_EQ(i, 0);
    CHECK_EQ(others_try(&lock), 0);
    for (int i = 0; i < HOLDS; i++)
        omp_unset_nest_lock(&other);
    CHECK_EQ(others_try(&other), several);
    for (int i = 0; i < HOLDS; i++)
        omp_unset_nest_lock(&lock);
    CHECK_EQ(others_try(&lock), 0);
    CHECK_EQ(omp_test_nest_lock(&lock), 2);
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
    CHECK_EQ(others_try(&lock), several);
    omp_destroy_nest_lock(&lock);
    omp_destroy_nest_lock(&other);
    return check_done();
}
