/* num_threads with a number below 1, which no program should give: as if there were no clause.
 * omp_set_num_threads with one: 1 thread. */
#include "../conformance/check.h"
#include <limits.h>

static int got(int threads)
{
    int size = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

int main(void)
{
    const int below[] = {0, -1, -2, -4096, INT_MIN + 1, INT_MIN};
    omp_set_dynamic(0);
    omp_set_num_threads(3);
    for (unsigned i = 0; i < sizeof below / sizeof *below; i++)
        CHECK_EQ(got(below[i]), 3);
    int sum = 0, none = -5;
#pragma omp parallel for num_threads(none) schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 9; i++)
        sum += omp_get_num_threads();
    CHECK_EQ(sum, 27);
    for (unsigned i = 0; i < sizeof below / sizeof *below; i++) {
        omp_set_num_threads(below[i]);
        CHECK_EQ(omp_get_max_threads(), 1);
        CHECK_EQ(got(2), 2);
        CHECK_EQ(got(-1), 1);
    }
    return check_done();
}
