/* Ended tasks leave no memory behind: millions of tasks from one producer, whose queue the others
 * empty, of one with a priority on each, and of a recursion; the resident set after a tenth of them
 * is nearly that of the end. */
/* @env: OMP_MAX_TASK_PRIORITY=8 */
#include "../conformance/check.h"
#include "resident.h"

enum { FILLING = 12000, PRODUCED = 4000000, DEPTH = 16, TREES = 40 };

static long counts[64][16];

static void count(void)
{
    counts[omp_get_thread_num()][0]++;
}

static long counted(void)
{
    long sum = 0;
    for (int i = 0; i < 64; i++) {
        sum += counts[i][0];
        counts[i][0] = 0;
    }
    return sum;
}

static void produce(long tasks)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < tasks; i++) {
#pragma omp task
        count();
    }
}

static void produce_with_priority(long tasks)
{
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < tasks; i++) {
#pragma omp task priority(1 + i % 8)
        count();
    }
}

/* Each leaf counts itself; the others wait for their children, but at every fourth level leave them
 * to the region's end. */
static void tree(int depth)
{
    if (depth == 0) {
        count();
        return;
    }
#pragma omp task
    tree(depth - 1);
#pragma omp task
    tree(depth - 1);
    if (depth % 4) {
#pragma omp taskwait
    }
}

static void grow(int trees)
{
    for (int i = 0; i < trees; i++) {
#pragma omp parallel
#pragma omp single
        tree(DEPTH);
    }
}

/* Fills the producer's queue: its tasks take longer than it takes to make them. */
static void fill_queue(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < FILLING; i++) {
#pragma omp task
        {
            double until = omp_get_wtime() + 5e-6;
            while (omp_get_wtime() < until)
                ;
        }
    }
}

/* Of all tasks the records would be hundreds of MiB; those of a full queue are there before the
 * first look. */
enum { GROWTH_KIB = 4096 };

static void check_growth(const char *what, long early)
{
    long late = resident_kib();
    if (late > early + GROWTH_KIB)
        fprintf(stderr, "%s: %ld KiB early, %ld KiB late\n", what, early, late);
    CHECK(late <= early + GROWTH_KIB);
}

int main(void)
{
    fill_queue();
    produce(PRODUCED / 10);
    long early = resident_kib();
    produce(PRODUCED - PRODUCED / 10);
    CHECK_EQ(counted(), PRODUCED);
    check_growth("one producer", early);
    produce_with_priority(PRODUCED / 100);
    early = resident_kib();
    produce_with_priority(PRODUCED / 10 - PRODUCED / 100);
    CHECK_EQ(counted(), PRODUCED / 10);
    check_growth("priorities", early);
    grow(TREES / 10);
    early = resident_kib();
    grow(TREES - TREES / 10);
    CHECK_EQ(counted(), TREES * (1l << DEPTH));
    check_growth("recursion", early);
    return check_done();
}
