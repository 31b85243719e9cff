/* Memory does not grow: regions of changing sizes, nested ones, tasks, dependences, locks and
 * loops, thousands of times; the resident set after a tenth of them is nearly that of the end. */
#include "../conformance/check.h"
#include "resident.h"

static void everything(int round)
{
    long sum = 0;
    int cell = 0;
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(1 + round % 4) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic) ordered
        for (int i = 0; i < 8; i++) {
#pragma omp ordered
            sum += i;
        }
#pragma omp single
        {
            for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : cell) shared(cell)
                cell++;
#pragma omp task
                __asm__ volatile("");
            }
#pragma omp taskgroup
            {
#pragma omp taskloop
                for (int i = 0; i < 8; i++)
                    __asm__ volatile("");
            }
        }
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
        if (round % 8 == 0) {
#pragma omp parallel num_threads(2)
            __asm__ volatile("");
        }
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    CHECK_EQ(sum, 28);
    CHECK_EQ(cell, 20);
}

int main(void)
{
    enum { ROUNDS = 3000 };
    long early = 0;
    omp_set_max_active_levels(2);
    for (int round = 0; round < ROUNDS; round++) {
        everything(round);
        if (round == ROUNDS / 10)
            early = resident_kib();
    }
    long late = resident_kib();
    if (late > early + 2048) {
        fprintf(stderr, "resident: %ld KiB early, %ld KiB late\n", early, late);
        return 1;
    }
    return check_done();
}
