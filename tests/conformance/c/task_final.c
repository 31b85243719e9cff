/* task final and mergeable: descendants of a final task are included at once. */
#include "check.h"

int main(void)
{
    int order = 0;
#pragma omp parallel
#pragma omp single
    {
        CHECK_EQ(omp_in_final(), 0);
#pragma omp task final(1) shared(order) mergeable
        {
            CHECK_EQ(omp_in_final(), 1);
            int thread = omp_get_thread_num(), inner = 0;
            for (int i = 0; i < 5; i++) {
#pragma omp task shared(inner) firstprivate(i)
                {
                    CHECK_EQ(omp_in_final(), 1);
                    CHECK_EQ(omp_get_thread_num(), thread);
                    CHECK_EQ(inner, i);
                    inner++;
                }
                CHECK_EQ(inner, i + 1);
            }
            order = 1;
        }
#pragma omp taskwait
        CHECK_EQ(order, 1);
#pragma omp task final(0)
        CHECK_EQ(omp_in_final(), 0);
    }
    return check_done();
}
