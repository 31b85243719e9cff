// One thread prepares each step: a tenth of all work.
// cause: serial-time
// likely: serial-time
// has: in prepare
#include "limit.h"

APART void prepare(void)
{
    WORK(1600000);
}

APART void sweep(void)
{
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < 144; i++)
        WORK(100000);
}

int main(void)
{
    for (int step = 0; step < 12; step++) {
        prepare();
        sweep();
    }
    puts("done");
    return 0;
}
