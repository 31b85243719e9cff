/* Disease: one task is too long. Of the tasks of each round, the one that is made last takes twenty
 * times as long as another one: when the others are done one thread works and the other waits.
 * Expected in the report: "task too long", the task at the marked line. */
#include <stdio.h>

enum { ROUNDS = 6, SHORT_TASKS = 12, UNIT = 1500000 };

static unsigned grind(unsigned x, long n)
{
    for (long i = 0; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        __asm__ volatile("" : "+r"(x));
    }
    return x;
}

int main(void)
{
    unsigned results[SHORT_TASKS + 1] = {0}, sum = 0;
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SHORT_TASKS; i++) {
#pragma omp task shared(results)
            results[i] = grind(results[i] + (unsigned)i, UNIT);
        }
#pragma omp task shared(results) /* disease: long-task */
        results[SHORT_TASKS] = grind(results[SHORT_TASKS], 20L * UNIT);
#pragma omp taskwait
    }
    for (int i = 0; i <= SHORT_TASKS; i++)
        sum ^= results[i];
    printf("%u\n", sum);
    return 0;
}
