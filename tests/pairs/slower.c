// A function that a region calls computes twice as much after.
// says: Slower by
// says: in solve
// says: function norm takes
// has: "label":"norm"
// verdict: slower
#include "pair.h"

APART void stencil(void)
{
    WORK(300000);
}

APART void norm(void)
{
    WORK(PICK(150000, 300000));
}

APART void solve(void)
{
    #pragma omp parallel for num_threads(2)
    for (int i = 0; i < 32; i++) {
        stencil();
        norm();
    }
}

int main(void)
{
    begins();
    for (int step = 0; step < 20; step++)
        solve();
    return ends();
}
