/* Far more tasks than any queue holds, from one producer and from all. */
#include "check.h"

int main(void)
{
    int n = check_threads();
    long one = 0, all = 0;
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 30000; i++) {
#pragma omp task shared(one)
#pragma omp atomic
            one++;
        }
        for (int i = 0; i < 3000; i++) {
#pragma omp task shared(all)
#pragma omp atomic
            all++;
        }
    }
    CHECK_EQ(one, 30000);
    CHECK_EQ(all, 3000l * n);
    return check_done();
}
