// Nothing is different.
// says: No difference beyond the noise
// has: "status":"same"
// verdict: same
#include "pair.h"

APART void sweep(void)
{
    #pragma omp parallel for num_threads(2)
    for (int i = 0; i < 32; i++)
        WORK(30000);
}

int main(void)
{
    begins();
    for (int step = 0; step < 20; step++)
        sweep();
    return ends();
}
