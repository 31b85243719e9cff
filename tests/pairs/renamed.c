// The function with the region has another name after.
// says: No difference beyond the noise
// says: in sweep is called
// says: in sweep_all now
// has: "status":"renamed"
// verdict: same
#include "pair.h"

#define NAME PICK(sweep, sweep_all)

APART void NAME(void)
{
    #pragma omp parallel for num_threads(2)
    for (int i = 0; i < 32; i++)
        WORK(400000);
}

int main(void)
{
    begins();
    for (int step = 0; step < 20; step++)
        NAME();
    return ends();
}
