/* Regions, loops, sections and singles that do nothing. */
#include "check.h"

int main(void)
{
    for (int r = 0; r < 50; r++) {
#pragma omp parallel
        ;
#pragma omp parallel
        {
#pragma omp for
            for (int i = 0; i < 10; i++)
                ;
#pragma omp sections
            {
                ;
            }
#pragma omp single
            ;
#pragma omp barrier
#pragma omp task
            ;
#pragma omp taskwait
        }
    }
    return check_done();
}
