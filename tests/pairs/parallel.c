// A loop that one thread did alone is a region after.
// says: Faster by
// says: outside of parallel regions
// says: in smooth
// says: which is new
// has: "status":"new"
// verdict: faster
#include "pair.h"

APART void smooth(void)
{
#ifdef AFTER
    #pragma omp parallel for num_threads(2)
#endif
    for (int i = 0; i < 32; i++)
        WORK(2000000);
}

int main(void)
{
    begins();
    smooth();
    #pragma omp parallel num_threads(2)
    WORK(60000000);
    smooth();
    return ends();
}
