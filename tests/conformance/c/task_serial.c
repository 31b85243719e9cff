/* Tasks outside of any region and in a team of one: run, in order, by the only thread. */
#include "check.h"

int main(void)
{
    int count = 0;
    for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i) shared(count)
        {
            CHECK_EQ(omp_get_num_threads(), 1);
            count++;
        }
    }
#pragma omp taskwait
    CHECK_EQ(count, 20);
#pragma omp taskgroup
    {
#pragma omp task shared(count)
        count++;
    }
    CHECK_EQ(count, 21);
#pragma omp parallel num_threads(1)
    {
#pragma omp task shared(count)
        count++;
#pragma omp taskwait
        CHECK_EQ(count, 22);
    }
#pragma omp taskyield
    return check_done();
}
