/* Each thread's iterations of a loop rise, whatever schedule and modifier it has: the chunks are
 * handed out in their order. libgomp and libomp do so for gcc's programs, and programs rely on it:
 * one sizes a thread's buffer by its first iteration, the longest of all that it will get. */
/* @compilers: gcc — LLVM's runtime lets clang's dynamic loops fall */
/* @env: OMP_SCHEDULE=dynamic */
/* @threads: 2 4 16 */
#include "rising.h"

static void by_kind(void)
{
    LOOP(schedule(dynamic))
    LOOP(schedule(dynamic, 3))
    LOOP(schedule(nonmonotonic : dynamic))
    LOOP(schedule(guided))
    LOOP(schedule(nonmonotonic : guided, 2))
    LOOP(schedule(auto))
    LOOP(schedule(runtime))
    LOOP(schedule(nonmonotonic : runtime))
    LOOP(schedule(monotonic : runtime))
    LOOP(schedule(dynamic) ordered)
}

/* Loops that gcc begins by the general entry, downwards, and sections. */
static void by_name(void)
{
    int sum = 0, last = 0;
    region++;
#pragma omp parallel
#pragma omp for schedule(dynamic) reduction(task, + : sum)
    for (int i = 0; i < N; i++) {
        step(i);
        sum++;
    }
    CHECK_EQ(sum, N);
    region++;
#pragma omp parallel for schedule(nonmonotonic : runtime) lastprivate(conditional : last)
    for (int i = 0; i < N; i++) {
        step(i);
        if (i % 7 == 0)
            last = i;
    }
    CHECK_EQ(last, 994);
    region++;
#pragma omp parallel for schedule(dynamic)
    for (int i = N; i > 0; i--)
        step(N - i);
    for (int round = 0; round < 50; round++) {
        region++;
#pragma omp parallel sections
        {
            step(N - 10);
#pragma omp section
            step(N - 9);
#pragma omp section
            step(N - 8);
#pragma omp section
            step(N - 7);
#pragma omp section
            step(N - 6);
        }
    }
}

int main(void)
{
    for (int round = 0; round < 5; round++) {
        by_kind();
        by_name();
    }
    CHECK_EQ(fell, 0);
    return check_done();
}
