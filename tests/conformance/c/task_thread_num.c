/* A tied task stays on its thread over its scheduling points. */
#include "check.h"

int main(void)
{
    int count = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 200; i++) {
#pragma omp task shared(count)
        {
            int me = omp_get_thread_num();
#pragma omp task shared(count)
#pragma omp atomic
            count++;
#pragma omp taskyield
            CHECK_EQ(omp_get_thread_num(), me);
#pragma omp taskwait
            CHECK_EQ(omp_get_thread_num(), me);
        }
    }
    CHECK_EQ(count, 200);
    return check_done();
}
