/* Disease: serial time between regions. Each step is prepared by one thread while the others idle.
 * Expected in the report: "serial time", in prepare(), at the marked loop. */
#include <stdio.h>

enum { CELLS = 256, STEPS = 20, SERIAL = 30000000, PARALLEL = 120000 };

static unsigned prepare(unsigned x)
{
    for (long i = 0; i < SERIAL; i++) /* disease: serial-time */
        x = x * 1664525u + 1013904223u;
    return x;
}

static void step(unsigned *cells, unsigned seed)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int c = 0; c < CELLS; c++) {
        unsigned x = cells[c] ^ seed;
        for (long i = 0; i < PARALLEL; i++)
            x = x * 22695477u + 1u;
        cells[c] = x;
    }
}

int main(void)
{
    unsigned cells[CELLS] = {0}, seed = 1, sum = 0;
    for (int s = 0; s < STEPS; s++) {
        seed = prepare(seed);
        step(cells, seed);
    }
    for (int c = 0; c < CELLS; c++)
        sum += cells[c];
    printf("%u\n", sum);
    return 0;
}
