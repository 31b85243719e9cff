// One thread before, two after.
// says: Faster by
// says: in sweep
// says: 2.0 threads instead of 1.0
// has: "what":"threads"
// has: 2.0 threads instead of 1.0
// verdict: faster
#include "pair.h"

APART void sweep(void)
{
    #pragma omp parallel for num_threads(PICK(1, 2))
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
