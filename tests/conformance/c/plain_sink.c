/* `ordered depend(sink)` is no task scheduling point: a thread that waits for an iteration begins
 * no task. */
#include "waits.h"

enum { TRIP = 24 };

static void iteration(int i)
{
    nothing_begins(1);
    make_some(4);
    if (i == 0)
        usleep(LONG);
}

#define LOOP(...) \
    _Pragma("omp parallel") \
    { \
        _Pragma(__VA_ARGS__) \
        for (int i = 0; i < TRIP; i++) { \
            iteration(i); \
            _Pragma("omp ordered depend(sink: i - 1)") \
            next++; \
            _Pragma("omp ordered depend(source)") \
        } \
        nothing_begins(0); \
    } \
    wanted += TRIP; \
    CHECK_EQ(next, wanted)

int main(void)
{
    int next = 0, wanted = 0;
    LOOP("omp for ordered(1) nowait schedule(static, 1)");
    LOOP("omp for ordered(1) nowait schedule(static)");
    LOOP("omp for ordered(1) nowait schedule(dynamic, 1)");
    LOOP("omp for ordered(1) nowait schedule(guided)");

    /* Two dimensions. */
#pragma omp parallel
    {
#pragma omp for ordered(2) nowait schedule(static, 1)
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 4; j++) {
                iteration(i + j);
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
#pragma omp atomic
                next++;
#pragma omp ordered depend(source)
            }
        nothing_begins(0);
    }
    CHECK_EQ(next, wanted + 24);
    CHECK_EQ(done, 5 * 24 * 4);
    return check_done();
}
