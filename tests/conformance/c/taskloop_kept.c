/* Taskloops whose construct does not wait: their tasks have what they need, settings too, when the
 * construct is over, and when the task is over that made them. Waits, groups and the region's end
 * find all of them. */
#include "check.h"

enum { N = 300, LOOPS = 40 };

static int seen[N], groups[N], inner[N];

static void work(int *cell)
{
    for (volatile int i = 0; i < 20; i++)
        ;
    __atomic_fetch_add(cell, 1, __ATOMIC_RELAXED);
}

/* A copy of its own, on a stack that is gone when the tasks run. */
static void loop(int first, int step)
{
    int copy[5] = {first, first + 1, first + 2, first + 3, first + 4};
#pragma omp taskloop nogroup grainsize(1) firstprivate(copy, step)
    for (int i = 0; i < N; i++) {
        CHECK_EQ(copy[i % 5], first + i % 5);
        copy[i % 5] = -1;
        work(&seen[(i * step) % N]);
    }
}

static void all_are(int *cells, int wanted)
{
    for (int i = 0; i < N; i++) {
        CHECK_EQ(cells[i], wanted);
        cells[i] = 0;
    }
}

int main(void)
{
#pragma omp parallel
    {
#pragma omp single
        {
            /* A taskwait. */
            for (int k = 0; k < LOOPS; k++)
                loop(k, 1);
#pragma omp taskwait
            all_are(seen, LOOPS);
            /* A group, and the group that a construct without the clause has. */
#pragma omp taskgroup
            loop(5, 7);
            all_are(seen, 1);
#pragma omp taskloop
            for (int i = 0; i < N; i++)
                work(&groups[i]);
            all_are(groups, 1);
            /* The task that made them is over; so may its tasks be, in each of which is another
             * loop. */
#pragma omp taskgroup
            for (int k = 0; k < LOOPS; k++) {
#pragma omp task
                loop(k, 11);
            }
            all_are(seen, LOOPS);
#pragma omp taskgroup
            {
#pragma omp taskloop nogroup num_tasks(30)
                for (int i = 0; i < N / 10; i++) {
#pragma omp taskloop nogroup
                    for (int j = i * 10; j < i * 10 + 10; j++)
                        work(&inner[j]);
                }
            }
            all_are(inner, 1);
            /* The settings are those from when the construct was met. */
            int most = omp_get_max_threads();
#pragma omp taskloop nogroup grainsize(1)
            for (int i = 0; i < N; i++) {
                CHECK_EQ(omp_get_max_threads(), most);
                work(&seen[i]);
            }
            omp_set_num_threads(most + 1);
#pragma omp taskloop nogroup grainsize(1)
            for (int i = 0; i < N; i++) {
                CHECK_EQ(omp_get_max_threads(), most + 1);
                work(&groups[i]);
            }
            omp_set_num_threads(most + 2);
        }
        /* The barrier behind the single construct. */
#pragma omp single
        {
            all_are(seen, 1);
            all_are(groups, 1);
            loop(3, 13);
        }
#pragma omp single
        all_are(seen, 1);
#pragma omp single nowait
        loop(4, 17);
    }
    all_are(seen, 1);
    return check_done();
}
