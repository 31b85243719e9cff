// Memory that each step gets anew from the system, and memory that is kept.
// with: --counters
// says: Faster by
// says: in step
// says: page faults instead of
// has: page faults instead of
// verdict: faster
#define _GNU_SOURCE
#include "pair.h"
#include <sys/mman.h>

enum { SIZE = 8 << 20, PAGE = 4096 };

static _Thread_local char *kept;

APART char *fresh(void)
{
    char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, SIZE, MADV_NOHUGEPAGE);
    return memory;
}

APART void step(void)
{
    #pragma omp parallel num_threads(2)
    {
        if (!kept)
            kept = fresh();
        for (int at = 0; at < SIZE; at += PAGE)
            kept[at] = 1;
#ifndef AFTER
        munmap(kept, SIZE);
        kept = NULL;
#endif
    }
}

int main(void)
{
    begins();
    for (int i = 0; i < 40; i++)
        step();
    return ends();
}
