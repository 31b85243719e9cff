/* Disease: imbalance at a barrier. Rows cost 1 in the first half and 3 in the second, and the
 * static schedule cuts in the middle: with 2 threads one works three times as long as the other.
 * Expected in the report: "load imbalance", the region at the marked line, and about a third of
 * the region's time as what perfect balance would give back. */
#include <stdio.h>

enum { ROWS = 64, UNIT = 150000, SWEEPS = 60 };

static unsigned grind(unsigned x, long n)
{
    for (long i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

static unsigned sweep(unsigned *rows)
{
    unsigned sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) /* disease: imbalance */
    for (int i = 0; i < ROWS; i++) {
        rows[i] = grind(rows[i] + (unsigned)i, i < ROWS / 2 ? UNIT : 3 * UNIT);
        sum += rows[i];
    }
    return sum;
}

int main(void)
{
    unsigned rows[ROWS] = {0}, sum = 0;
    for (int s = 0; s < SWEEPS; s++)
        sum ^= sweep(rows);
    printf("%u\n", sum);
    return 0;
}
