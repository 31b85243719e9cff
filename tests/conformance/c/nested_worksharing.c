/* Worksharing, single and barriers inside nested regions bind to the inner team. */
#include "check.h"

int main(void)
{
    omp_set_max_active_levels(3);
    long sum = 0, singles = 0;
    int outer = check_threads() > 4 ? 4 : check_threads();
    for (int r = 0; r < 10; r++) {
#pragma omp parallel num_threads(outer) reduction(+ : sum)
        {
            long mine = 0;
#pragma omp parallel num_threads(2) reduction(+ : mine)
            {
#pragma omp for schedule(dynamic, 2)
                for (int i = 0; i < 50; i++)
                    mine += i;
#pragma omp single
#pragma omp atomic
                singles++;
#pragma omp barrier
            }
            sum += mine;
#pragma omp barrier
        }
    }
    CHECK_EQ(sum, 10l * outer * 1225);
    CHECK_EQ(singles, 10l * outer);
    return check_done();
}
