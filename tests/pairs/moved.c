// The region stands three lines further down after.
// says: No difference beyond the noise
// says: moved to moved.c:
// has: "status":"moved"
// verdict: same
#include "pair.h"

APART void sweep(void)
{
#ifdef AFTER
    #pragma omp parallel for num_threads(2)
#else
    #pragma omp parallel for num_threads(2)
#endif
    for (int i = 0; i < 32; i++)
        WORK(400000);
}

int main(void)
{
    begins();
    for (int step = 0; step < 20; step++)
        sweep();
    return ends();
}
