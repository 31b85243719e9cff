// Threads that compute so much, and know by their own clocks what they ran and what they had no
// processor for.
#ifndef OWN_CLOCK_H
#define OWN_CLOCK_H

#include "truth.h"

/// What a thread ran and waited for a processor; a line of the cache apart.
typedef struct {
    double ran, without;
    char apart[112];
} clock_t_of;

APART void compute(long steps)
{
    double x = 1.0;
    for (long i = 0; i < steps; i++)
        x = x * 1.0000001 + 1e-9;
    __asm__ volatile("" : : "x"(x));
}

/// The clock of the whole is read first and last: what a thread waits inside of the other one's
/// calls is without a processor, too.
APART void piece(clock_t_of *of, long steps)
{
    double begin = now(), before = computed();
    compute(steps);
    double ran = computed() - before;
    of->ran += ran;
    of->without += now() - begin - ran;
}

APART void tell(const char *mark, const clock_t_of *of, int threads)
{
    double ran = 0, without = 0;
    char name[64];
    for (int i = 0; i < threads; i++) {
        ran += of[i].ran;
        without += of[i].without;
    }
    snprintf(name, sizeof name, "ran@%s", mark);
    truth(name, ran);
    snprintf(name, sizeof name, "without_cpu@%s", mark);
    truth(name, without);
}

#endif
