/* A thread that waits at the end of a taskgroup of a tied task begins descendants of that task only: the task may hold a lock that
 * others want. In a barrier it begins any.
 * @distrust: gcc — libgomp 12 left a thread asleep at a taskgroup's end once in some hundred runs on a busy machine */
#include "waits.h"

enum { ROUNDS = 20 };

static void holder(struct node *maker, int round)
{
    struct node *node = malloc(sizeof *node);
    begins(node, maker);
#pragma omp critical(held)
    {
#pragma omp taskgroup
        {
            strangers(node, 2);
            if (round % 4 == 0)
                usleep(200);
        }
    }
    ends(node);
}

int main(void)
{
#pragma omp parallel
    {
        struct node *mine = malloc(sizeof *mine);
        begins(mine, NULL);
        for (int round = 0; round < ROUNDS; round++) {
            strangers(mine, 2);
#pragma omp task firstprivate(mine, round)
            holder(mine, round);
            strangers(mine, 2);
            if (round % 5 == 4) {
                mine->in_barrier = 1;
#pragma omp barrier
                mine->in_barrier = 0;
            } else if (round % 5 == 2) {
#pragma omp taskwait
            }
        }
        mine->in_barrier = 1;
#pragma omp barrier
        ends(mine);
    }
    /* Each tree has 1 + 2 + 2 tasks. */
    CHECK_EQ(done, ROUNDS * check_threads() * 6 * 5);
    return check_done();
}
