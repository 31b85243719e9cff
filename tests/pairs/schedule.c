// The schedule of an uneven loop: static before, dynamic after.
// says: Faster by
// says: in sweep
// says: for (static) is for (dynamic)
// says: less at barriers
// has: for (static) is for (dynamic)
// verdict: faster
#include "pair.h"

APART void sweep(void)
{
#ifdef AFTER
    #pragma omp parallel for schedule(dynamic, 1) num_threads(2)
#else
    #pragma omp parallel for schedule(static) num_threads(2)
#endif
    for (int i = 0; i < 16; i++)
        WORK(i < 8 ? 100000 : 900000);
}

int main(void)
{
    begins();
    for (int step = 0; step < 20; step++)
        sweep();
    return ends();
}
