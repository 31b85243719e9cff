/* task depend: mutexinoutset, taskwait depend, if(0) with depend. */
#include "check.h"

int main(void)
{
    int x = 0, busy = 0, wrong = 0, y = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x) shared(x)
        x = 1;
        for (int i = 0; i < 50; i++) {
#pragma omp task depend(mutexinoutset : x) shared(x, busy, wrong)
            {
                if (__atomic_add_fetch(&busy, 1, __ATOMIC_RELAXED) != 1)
#pragma omp atomic
                    wrong++;
                x++;
                __atomic_sub_fetch(&busy, 1, __ATOMIC_RELAXED);
            }
        }
#pragma omp task depend(in : x) shared(x, wrong)
        if (x != 51)
#pragma omp atomic
            wrong++;
#pragma omp task depend(out : y) shared(y)
        y = 5;
#pragma omp taskwait depend(in : y)
        CHECK_EQ(y, 5);
#pragma omp task depend(inout : y) shared(y)
        y = 6;
#pragma omp task if (0) depend(inout : y) shared(y)
        {
            CHECK_EQ(y, 6);
            y = 7;
        }
        CHECK_EQ(y, 7);
    }
    CHECK_EQ(x, 51);
    CHECK_EQ(wrong, 0);
    return check_done();
}
