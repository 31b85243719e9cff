/* copyin: every thread starts with the primary thread's values. */
#include "check.h"

static int number;
static char text[64];
static double grid[8][8];
#pragma omp threadprivate(number, text, grid)

int main(void)
{
    for (int r = 1; r <= 20; r++) {
        number = r;
        snprintf(text, sizeof text, "round %d", r);
        grid[7][7] = r * 1.5;
#pragma omp parallel copyin(number, text, grid)
        {
            CHECK_EQ(number, r);
            CHECK_EQ(atoi(text + 6), r);
            CHECK(grid[7][7] == r * 1.5);
#pragma omp barrier
            number = -omp_get_thread_num();
            text[0] = 0;
            grid[7][7] = 0;
        }
    }
#pragma omp parallel num_threads(3)
    number = omp_get_thread_num();
#pragma omp parallel copyin(number) num_threads(5)
    CHECK_EQ(number, 0);
    return check_done();
}
