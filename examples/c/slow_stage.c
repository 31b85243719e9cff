/* Disease: one stage of a pipeline is slow. Items are read, filtered and written by tasks; filters
 * take turns and are eight times as long as the other stages, so about one thread works at a time.
 * Expected in the report: "too few tasks at a time", the task at the marked line. */
#include <stdio.h>

enum { ITEMS = 120, UNIT = 1000000 };

static unsigned grind(unsigned x, long n)
{
    for (long i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

int main(void)
{
    unsigned items[ITEMS], read = 1, state = 2, written = 3;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < ITEMS; i++) {
#pragma omp task depend(inout : read) depend(out : items[i]) shared(items, read)
        items[i] = read = grind(read, UNIT);
#pragma omp task depend(inout : state, items[i]) shared(items, state) /* disease: task-shortage */
        items[i] ^= state = grind(state, 8L * UNIT);
#pragma omp task depend(inout : written) depend(in : items[i]) shared(items, written)
        written = grind(written ^ items[i], UNIT);
    }
    printf("%u\n", written);
    return 0;
}
