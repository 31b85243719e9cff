/* atomic capture, read and write, in all their forms and memory orders. */
#include "check.h"

int main(void)
{
    int n = check_threads(), total = 100 * n;
    int ticket = 0, twice = 0, swap = -1, taken[1600] = {0};
    long sum = 0;
    double d = 0;
#pragma omp parallel reduction(+ : sum)
    for (int i = 0; i < 100; i++) {
        int mine, old;
#pragma omp atomic capture
        mine = ticket++;
#pragma omp atomic
        taken[mine]++;
#pragma omp atomic capture seq_cst
        {
            twice += 2;
            old = twice;
        }
        CHECK(old >= 2 && old % 2 == 0);
#pragma omp atomic capture acq_rel
        {
            old = swap;
            swap = mine;
        }
        sum += old;
        double now;
#pragma omp atomic capture
        now = d += 1;
        CHECK(now >= 1 && now <= total);
#pragma omp atomic read acquire
        now = d;
        CHECK(now >= 1);
    }
    CHECK_EQ(ticket, total);
    CHECK_EQ(twice, 2 * total);
    for (int i = 0; i < total; i++)
        CHECK_EQ(taken[i], 1);
    CHECK_EQ(sum + swap, (long)total * (total - 1) / 2 - 1);
    int cell = 0;
#pragma omp atomic write release
    cell = 9;
    CHECK_EQ(cell, 9);
    return check_done();
}
