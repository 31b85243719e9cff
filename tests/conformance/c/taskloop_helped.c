/* Whoever executes a task of a taskloop, it is a task of the construct: its own data, its number of
 * threads and its settings, tasks of its own, dependences, waits, groups and reductions, and in the
 * end all of it is over. */
#include "check.h"

enum { N = 400 };

static int seen[N];

static void leaf(int i, int *left)
{
#pragma omp task firstprivate(i, left)
    {
        seen[i]++;
        __atomic_fetch_sub(left, 1, __ATOMIC_SEQ_CST);
    }
}

int main(void)
{
    long sum = 0;
    int wide[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    int left = N;
    omp_set_num_threads(omp_get_max_threads());
#pragma omp parallel
#pragma omp single
    {
        omp_set_num_threads(3);
        int mine = 7;
        /* Tasks that outlive the iteration that made them; the loop waits for them. */
#pragma omp taskloop grainsize(1) firstprivate(mine) shared(left)
        for (int i = 0; i < N; i++) {
            CHECK_EQ(mine, 7);
            CHECK_EQ(omp_get_max_threads(), 3);
            mine = i;
            if (i % 3 == 0)
                leaf(i, &left);
            else {
                seen[i]++;
                __atomic_fetch_sub(&left, 1, __ATOMIC_SEQ_CST);
            }
            /* A setting of its own. */
            if (i % 5 == 0) omp_set_num_threads(5);
        }
        CHECK_EQ(__atomic_load_n(&left, __ATOMIC_SEQ_CST), 0);
        CHECK_EQ(omp_get_max_threads(), 3);
        for (int i = 0; i < N; i++)
            CHECK_EQ(seen[i], 1);
        /* Waits, groups, dependences inside. */
#pragma omp taskloop grainsize(1) firstprivate(wide)
        for (int i = 0; i < N; i++) {
            int value = 0;
            CHECK_EQ(wide[i % 9], i % 9);
            wide[i % 9] = -1;
#pragma omp task shared(value) depend(out : value)
            value = 1;
#pragma omp task shared(value) depend(inout : value)
            value += 1;
#pragma omp taskwait
            CHECK_EQ(value, 2);
#pragma omp taskgroup
            {
#pragma omp task shared(value)
                value = 5;
            }
            CHECK_EQ(value, 5);
            seen[i]++;
        }
#pragma omp taskloop grainsize(1) reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += i;
        CHECK_EQ(sum, (long)N * (N - 1) / 2);
        /* Loops inside the iterations of a loop. */
#pragma omp taskloop grainsize(1)
        for (int i = 0; i < 20; i++) {
#pragma omp taskloop grainsize(1)
            for (int k = i * 20; k < i * 20 + 20; k++)
                seen[k]++;
        }
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ(seen[i], 3);
    return check_done();
}
