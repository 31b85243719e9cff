/* task if(0): undeferred, done before the next statement, by the same thread. */
#include "check.h"

int main(void)
{
    int n = check_threads();
    long total = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), done = 0;
        for (int i = 0; i < 50; i++) {
#pragma omp task if (0) shared(done, total)
            {
                CHECK_EQ(omp_get_thread_num(), me);
                done++;
#pragma omp task shared(total)
#pragma omp atomic
                total++;
#pragma omp taskwait
            }
            CHECK_EQ(done, i + 1);
        }
    }
    CHECK_EQ(total, 50l * n);
    return check_done();
}
