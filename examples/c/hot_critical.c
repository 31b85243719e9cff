/* Disease: a hot critical section. Nearly all the work is done inside it, so the threads queue.
 * Expected in the report: "contention", the critical at the marked line. */
#include <stdio.h>

enum { ITEMS = 120000, INSIDE = 8000, OUTSIDE = 2000 };

static unsigned grind(unsigned x, long n)
{
    for (long i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

int main(void)
{
    unsigned total = 0;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < ITEMS; i++) {
        unsigned x = grind((unsigned)i, OUTSIDE);
#pragma omp critical(total) /* disease: hot-mutex */
        total += grind(x, INSIDE);
    }
    printf("%u\n", total);
    return 0;
}
