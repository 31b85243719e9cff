/* for linear: each iteration sees its own multiple of the step. */
#include "check.h"

int main(void)
{
    int place = 10, wrong = 0;
#pragma omp parallel for linear(place : 3) reduction(+ : wrong)
    for (int i = 0; i < 100; i++) {
        wrong += place != 10 + 3 * i;
        place += 3;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(place, 310);
    return check_done();
}
