/* taskloop grainsize(strict) and num_tasks(strict): how many tasks there are, and how many
 * iterations each of them has.
 * @compilers: gcc clang-22 — clang 19 takes no notice of the word */
#include "check.h"

static int tasks, longest, wrong;

/* Called in each iteration with the task's own copy of what was 0 before the construct. */
static void iteration(int *mine)
{
    int length = ++*mine;
    if (length == 1)
#pragma omp atomic
        tasks++;
#pragma omp critical
    if (length > longest)
        longest = length;
}

static void reset(void)
{
    tasks = longest = wrong = 0;
}

int main(void)
{
    int mine = 0;
    long sum = 0;
#pragma omp parallel
#pragma omp single
    {
        reset();
#pragma omp taskloop grainsize(strict : 7) firstprivate(mine)
        for (int i = 0; i < 100; i++)
            iteration(&mine);
        CHECK_EQ(tasks, 15);
        CHECK_EQ(longest, 7);

        reset();
#pragma omp taskloop num_tasks(strict : 9) firstprivate(mine)
        for (long i = 100; i > 0; i--)
            iteration(&mine);
        CHECK_EQ(tasks, 9);
        CHECK_EQ(longest, 12);

        reset();
#pragma omp taskloop grainsize(strict : 1000) firstprivate(mine)
        for (unsigned long long i = 0; i < 100; i++)
            iteration(&mine);
        CHECK_EQ(tasks, 1);
        CHECK_EQ(longest, 100);

        reset();
#pragma omp taskloop grainsize(strict : 8) firstprivate(mine) shared(sum)
        for (int i = 0; i < 100; i++) {
            iteration(&mine);
#pragma omp atomic
            sum += i;
        }
        CHECK_EQ(tasks, 13);
        CHECK_EQ(longest, 8);
        CHECK_EQ(sum, 4950);
    }
    return check_done();
}
