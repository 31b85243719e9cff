/* Tasks made inside worksharing loops and sections are done at the construct's barrier. */
#include "check.h"

int main(void)
{
    int made[200] = {0};
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(made) firstprivate(i)
            made[i]++;
        }
        int wrong = 0;
        for (int i = 0; i < 100; i++)
            wrong += made[i] != 1;
        CHECK_EQ(wrong, 0);
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp task shared(made)
                made[100]++;
            }
#pragma omp section
            {
#pragma omp task shared(made)
                made[101]++;
            }
        }
        CHECK_EQ(made[100] + made[101], 2);
    }
    return check_done();
}
