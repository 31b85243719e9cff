/* task untied with scheduling points: every part of every task runs once. */
#include "check.h"

int main(void)
{
    int count = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task untied shared(count) firstprivate(i)
        {
            int mine = i;
#pragma omp atomic
            count++;
#pragma omp taskyield
#pragma omp task shared(count)
#pragma omp atomic
            count++;
#pragma omp taskwait
            CHECK_EQ(mine, i);
#pragma omp atomic
            count++;
        }
    }
    CHECK_EQ(count, 300);
    return check_done();
}
