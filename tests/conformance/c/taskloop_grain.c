/* taskloop grainsize, num_tasks, nogroup, collapse, and other integer types. */
#include "check.h"

int main(void)
{
    long count = 0, wide = 0, tall = 0, down = 0, none = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop grainsize(7) shared(count)
        for (int i = 0; i < 100; i++)
#pragma omp atomic
            count++;
        CHECK_EQ(count, 100);
#pragma omp taskloop num_tasks(9) shared(count)
        for (int i = 0; i < 100; i++)
#pragma omp atomic
            count++;
        CHECK_EQ(count, 200);
#pragma omp taskloop nogroup shared(wide)
        for (unsigned long long i = 1ull << 63; i < (1ull << 63) + 50; i++)
#pragma omp atomic
            wide++;
#pragma omp taskloop collapse(2) grainsize(3) shared(tall)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 13; j++)
#pragma omp atomic
                tall++;
#pragma omp taskloop shared(down)
        for (int i = 50; i > -50; i -= 3)
#pragma omp atomic
            down += i;
#pragma omp taskloop shared(none)
        for (int i = 5; i < 5; i++)
#pragma omp atomic
            none++;
#pragma omp taskloop if (0) shared(count)
        for (int i = 0; i < 10; i++)
#pragma omp atomic
            count++;
    }
    long want = 0;
    for (int i = 50; i > -50; i -= 3)
        want += i;
    CHECK_EQ(count, 210);
    CHECK_EQ(wide, 50);
    CHECK_EQ(tall, 130);
    CHECK_EQ(down, want);
    CHECK_EQ(none, 0);
    return check_done();
}
