/* Teams that grow and shrink from region to region. */
#include "check.h"

int main(void)
{
    static const int sizes[] = {4, 1, 8, 2, 3, 16, 1, 5, 16, 2};
    for (int round = 0; round < 40; round++) {
        int n = sizes[round % 10], sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
        {
            sum += omp_get_thread_num() + 1;
#pragma omp barrier
            CHECK_EQ(omp_get_num_threads(), n);
        }
        CHECK_EQ(sum, n * (n + 1) / 2);
    }
    return check_done();
}
