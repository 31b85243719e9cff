/* Cancelled regions and loops among barriers, loops without barriers, singles, tasks, nested
 * ones. */
/* @env: OMP_CANCELLATION=true */
/* @distrust: clang — libomp 19 asserts or hangs when a cancelled region has a loop */
#include "check.h"

static void some_loops(long *count)
{
    for (int l = 0; l < 12; l++) {
#pragma omp for nowait schedule(dynamic, 3)
        for (int i = 0; i < 40; i++)
#pragma omp atomic
            (*count)++;
    }
}

int main(void)
{
    int n = check_threads();
    for (int r = 0; r < 100; r++) {
        long count = 0, past = 0;
#pragma omp parallel
        {
            if (omp_get_thread_num() == r % n) {
#pragma omp cancel parallel
            }
            some_loops(&count);
#pragma omp single nowait
            for (int i = 0; i < 10; i++) {
#pragma omp task shared(count)
#pragma omp atomic
                count++;
            }
#pragma omp barrier
            past++;
        }
        CHECK_EQ(past, 0);
        /* The next region and its constructs are whole again. */
        int whole = 0;
        count = 0;
#pragma omp parallel
        {
            some_loops(&count);
#pragma omp barrier
#pragma omp atomic
            whole++;
#pragma omp cancel parallel if (0)
        }
        CHECK_EQ(whole, n);
        CHECK_EQ(count, 480);
    }
    for (int r = 0; r < 50; r++) {
        long first = 0, second = 0, after = 0;
#pragma omp parallel
        {
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < 10000; i++) {
#pragma omp cancel for if (i == 5)
#pragma omp atomic
                first++;
            }
            /* The loop after a cancelled one is not cancelled. */
#pragma omp for schedule(static, 2)
            for (int i = 0; i < 100; i++) {
#pragma omp cancellation point for
#pragma omp atomic
                second++;
            }
#pragma omp sections
            {
#pragma omp section
                {
#pragma omp cancel sections
                }
#pragma omp section
                ;
            }
#pragma omp atomic
            after++;
        }
        CHECK(first < 10000);
        CHECK_EQ(second, 100);
        CHECK_EQ(after, n);
    }
    omp_set_max_active_levels(2);
    int outer = 0, inner = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp cancel parallel
#pragma omp atomic
            inner++;
        }
#pragma omp cancellation point parallel
#pragma omp barrier
#pragma omp atomic
        outer++;
    }
    CHECK_EQ(inner, 0);
    CHECK_EQ(outer, 2);
    return check_done();
}
