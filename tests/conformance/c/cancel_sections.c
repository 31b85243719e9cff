/* cancel sections: the region goes on with its team whole. */
/* @env: OMP_CANCELLATION=true */
#include "check.h"

int main(void)
{
    int n = check_threads(), after = 0, first = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp atomic
                first++;
#pragma omp cancel sections
#pragma omp atomic
                first += 100;
            }
#pragma omp section
            {
#pragma omp cancellation point sections
            }
        }
#pragma omp atomic
        after++;
    }
    CHECK(first == 0 || first == 1);
    CHECK_EQ(after, n);
    return check_done();
}
