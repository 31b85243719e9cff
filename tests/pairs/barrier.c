// A barrier that nobody needs is gone after: threads that are slow in turn wait for each other no
// more.
// says: Faster by
// says: in turns
// says: less at barriers
// has: barrier is gone
// verdict: faster
#include "pair.h"

APART void turns(void)
{
    #pragma omp parallel num_threads(2)
    for (int i = 0; i < 100; i++) {
        WORK((i + omp_get_thread_num()) % 2 ? 1500000 : 200000);
#ifndef AFTER
        #pragma omp barrier
#endif
    }
}

int main(void)
{
    begins();
    turns();
    return ends();
}
