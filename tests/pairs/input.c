// The input is twice as large after.
// says: Slower by
// says: in sweep
// says: 2.0 times the work
// has: "what":"iterations of loops"
// verdict: slower
#include "pair.h"

APART void sweep(int size)
{
    #pragma omp parallel for schedule(dynamic, 4) num_threads(2)
    for (int i = 0; i < size; i++)
        WORK(100000);
}

int main(void)
{
    begins();
    for (int step = 0; step < 20; step++)
        sweep(PICK(64, 128));
    return ends();
}
