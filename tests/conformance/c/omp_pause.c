/* omp_pause_resource_all: the next region works as the first did. */
#include "check.h"

int main(void)
{
    int n = check_threads();
    for (int r = 0; r < 3; r++) {
        int count = 0;
#pragma omp parallel
#pragma omp atomic
        count++;
        CHECK_EQ(count, n);
        CHECK_EQ(omp_pause_resource_all(r % 2 ? omp_pause_hard : omp_pause_soft), 0);
    }
#pragma omp parallel
    CHECK_EQ(omp_get_num_threads(), n);
    return check_done();
}
