/* private, firstprivate, shared and default(none). */
#include "check.h"

int main(void)
{
    int own = 5, copy = 7, common = 0, n = check_threads();
    int array[4] = {1, 2, 3, 4};
#pragma omp parallel default(none) private(own) firstprivate(copy, array) \
    shared(common, check_failures, stderr)
    {
        own = omp_get_thread_num();
        CHECK_EQ(copy, 7);
        CHECK_EQ(array[3], 4);
        copy += own;
        array[own % 4] = 100;
#pragma omp atomic
        common += copy - own;
#pragma omp barrier
        CHECK_EQ(own, omp_get_thread_num());
    }
    CHECK_EQ(own, 5);
    CHECK_EQ(copy, 7);
    CHECK_EQ(array[0], 1);
    CHECK_EQ(common, 7 * n);
    return check_done();
}
