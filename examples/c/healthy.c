/* Disease: none. Equal work in every chunk, long regions, little serial time.
 * Expected in the report: no OpenMP problem found. */
#include <stdio.h>

enum { CELLS = 1024, SWEEPS = 4, WORK = 340000 };

int main(void)
{
    static unsigned cells[CELLS];
    unsigned sum = 0;
    for (int s = 0; s < SWEEPS; s++) {
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
        for (int c = 0; c < CELLS; c++) {
            unsigned x = cells[c] + (unsigned)c;
            for (long i = 0; i < WORK; i++)
                x = x * 1664525u + 1013904223u;
            cells[c] = x;
            sum += x;
        }
    }
    printf("%u\n", sum);
    return 0;
}
