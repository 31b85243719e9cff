/* Nonmonotonic dynamic loops whose parts are unequal, whose members come late, or which follow each
 * other without barriers: every iteration once, and what the absent left others do. */
/* @threads: 1 2 4 16 */
#include "check.h"
#include <unistd.h>
#define N 3000

static unsigned char seen[40][N];

static void work(int loop, int i)
{
    unsigned x = i;
    int steps = i < N / 8 ? 400 : 5;
    for (int k = 0; k < steps; k++)
        x = x * 1664525u + 1013904223u;
    __asm__ volatile("" : : "r"(x));
#pragma omp atomic
    seen[loop][i]++;
}

static void check(int loops)
{
    for (int l = 0; l < loops; l++)
        for (int i = 0; i < N; i++)
            if (seen[l][i] != 1)
                check_fail(__FILE__, l, "iterations executed once", seen[l][i], 1);
    memset(seen, 0, sizeof seen);
}

int main(void)
{
    int n = check_threads();
    for (int repeat = 0; repeat < 10; repeat++) {
#pragma omp parallel
        {
            for (int l = 0; l < 40; l++) {
#pragma omp for schedule(nonmonotonic : dynamic, 1 + l % 3) nowait
                for (int i = 0; i < N; i++)
                    work(l, i);
            }
        }
        check(40);
    }
    /* A member that comes when all is done finds nothing left. */
    int late = 0;
#pragma omp parallel reduction(+ : late)
    {
        static int done;
        int me = omp_get_thread_num();
        if (n > 1 && me == n - 1)
            while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) < N)
                usleep(100);
#pragma omp for schedule(nonmonotonic : dynamic) nowait
        for (int i = 0; i < N; i++) {
            work(0, i);
            late += n > 1 && me == n - 1;
            __atomic_add_fetch(&done, 1, __ATOMIC_RELEASE);
        }
    }
    check(1);
    CHECK_EQ(late, 0);
    /* A first loop that is combined with the region, and more members than parts. */
#pragma omp parallel for schedule(nonmonotonic : dynamic, 2) num_threads(24)
    for (int i = 0; i < N; i++)
        work(0, i);
    check(1);
    /* Regions of changing size. */
    for (int size = 1; size <= 8; size++) {
#pragma omp parallel num_threads(size)
        {
#pragma omp for schedule(nonmonotonic : dynamic) nowait
            for (int i = 0; i < N; i++)
                work(0, i);
#pragma omp for schedule(nonmonotonic : dynamic, 4)
            for (int i = 0; i < N; i++)
                work(1, i);
        }
        check(2);
    }
    return check_done();
}
