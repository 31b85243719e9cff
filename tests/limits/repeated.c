// Each thread does a part of the work again that one thread alone does once: more work in all.
// limit: work-added
// has: compute longer in all
#include "limit.h"

APART void own_table(void)
{
    WORK(80000000);
}

int main(void)
{
    #pragma omp parallel
    {
        own_table();
        #pragma omp for schedule(static)
        for (int i = 0; i < 64; i++)
            WORK(1000000);
    }
    puts("done");
    return 0;
}
