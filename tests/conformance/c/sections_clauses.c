/* sections nowait, lastprivate, reduction, firstprivate; parallel sections. */
#include "check.h"

int main(void)
{
    int last = 0, sum = 0, base = 10, count = 0;
#pragma omp parallel
    {
        for (int r = 0; r < 20; r++) {
#pragma omp sections nowait
            {
#pragma omp section
#pragma omp atomic
                count++;
#pragma omp section
#pragma omp atomic
                count++;
            }
        }
#pragma omp barrier
#pragma omp sections lastprivate(last) reduction(+ : sum) firstprivate(base)
        {
#pragma omp section
            {
                last = 1;
                sum += base;
            }
#pragma omp section
            {
                last = 2;
                sum += base * 2;
            }
#pragma omp section
            {
                last = 3;
                sum += base * 3;
            }
        }
    }
    CHECK_EQ(count, 40);
    CHECK_EQ(last, 3);
    CHECK_EQ(sum, 60);
    int a = 0, b = 0;
#pragma omp parallel sections num_threads(3)
    {
#pragma omp section
        a = omp_get_num_threads();
#pragma omp section
        b = omp_get_num_threads();
    }
    CHECK_EQ(a, 3);
    CHECK_EQ(b, 3);
    return check_done();
}
