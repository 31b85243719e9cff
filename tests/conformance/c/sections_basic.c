/* sections: each section once, by some thread of the team. */
#include "check.h"

int main(void)
{
    int hit[5] = {0}, after = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
            hit[0]++;
#pragma omp section
            hit[1]++;
#pragma omp section
            hit[2]++;
#pragma omp section
            hit[3]++;
#pragma omp section
            hit[4]++;
        }
#pragma omp atomic
        after += hit[0] + hit[1] + hit[2] + hit[3] + hit[4];
    }
    for (int i = 0; i < 5; i++)
        CHECK_EQ(hit[i], 1);
    CHECK_EQ(after, 5 * check_threads());
    return check_done();
}
