/* scope with a reduction and private data. */
/* @compilers: gcc — clang 19 cannot compile scope yet */
#include "check.h"

int main(void)
{
    int n = check_threads();
    long sum = 0;
#pragma omp parallel
    for (int r = 1; r <= 10; r++) {
#pragma omp scope reduction(+ : sum)
        sum += omp_get_thread_num() + 1;
        CHECK_EQ(sum, (long)r * n * (n + 1) / 2);
#pragma omp barrier
    }
    return check_done();
}
