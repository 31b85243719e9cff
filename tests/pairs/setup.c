// What the program computes before its region takes three times as long after.
// says: Slower by
// says: outside of parallel regions
// says: function setup takes
// has: "label":"setup"
// verdict: slower
#include "pair.h"

APART void setup(void)
{
    WORK(PICK(50000000, 150000000));
}

int main(void)
{
    begins();
    setup();
    #pragma omp parallel num_threads(2)
    WORK(100000000);
    return ends();
}
