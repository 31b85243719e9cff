/* The loop construct bound to a team. */
#include "check.h"

int main(void)
{
    int times[300] = {0};
#pragma omp parallel
    {
#pragma omp loop bind(parallel)
        for (int i = 0; i < 300; i++)
            times[i]++;
    }
    for (int i = 0; i < 300; i++)
        CHECK_EQ(times[i], 1);
    return check_done();
}
