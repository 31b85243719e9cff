/* for nowait: members go on through thousands of loops while one of them stays in the first.
   @distrust: clang — it holds members up after seven loops, so this never ends there */
#include "check.h"
#include <sched.h>
#define LOOPS 6000

static int times[LOOPS][4], counts[LOOPS];

int main(void)
{
    int through = 0;
#pragma omp parallel
    {
        int others = omp_get_num_threads() - 1;
        for (int r = 0; r < LOOPS; r += 3) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 4; i++) {
                int now = 0;
                if (r == 0 && i == 0)
                    while (now < others) {
#pragma omp atomic read
                        now = through;
                        sched_yield();
                    }
#pragma omp atomic
                times[r][i]++;
            }
#pragma omp for schedule(guided) nowait
            for (int i = 0; i < 4; i++)
#pragma omp atomic
                times[r + 1][i]++;
#pragma omp sections nowait
            {
#pragma omp section
#pragma omp atomic
                counts[r]++;
#pragma omp section
#pragma omp atomic
                counts[r + 2]++;
            }
#pragma omp for schedule(dynamic, 3) nowait
            for (long long i = 0; i < 4; i++)
#pragma omp atomic
                times[r + 2][i]++;
        }
#pragma omp atomic
        through++;
    }
    for (int r = 0; r < LOOPS; r++)
        for (int i = 0; i < 4; i++)
            CHECK_EQ(times[r][i], 1);
    for (int r = 0; r < LOOPS; r += 3)
        CHECK(counts[r] == 1 && counts[r + 2] == 1);
    return check_done();
}
