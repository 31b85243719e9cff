/* A parallel region inside an explicit task. */
#include "check.h"

int main(void)
{
    long count = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(count)
        {
#pragma omp parallel num_threads(3) shared(count)
            {
#pragma omp atomic
                count++;
                CHECK_EQ(omp_get_num_threads(), 3);
#pragma omp task shared(count)
#pragma omp atomic
                count++;
            }
        }
    }
    CHECK_EQ(count, 60);
    return check_done();
}
