/* The first tasks of a region come while a slower thread still leaves a barrier that had none;
 * their maker waits in the next barrier. */
#include "check.h"

int main(void)
{
    for (int round = 0; round < 200; round++) {
        int value = 0;
#pragma omp parallel
        {
#pragma omp barrier
#pragma omp single
            for (int i = 0; i < 50; i++) {
#pragma omp task depend(inout : value) shared(value)
                value++;
            }
#pragma omp barrier
            CHECK_EQ(value, 50);
        }
    }
    return check_done();
}
