/* A thread that waits at the end of a taskgroup of a tied task begins descendants of that task
 * only: the task may hold a lock that others want. In a barrier it begins any.
 * @distrust: gcc — libgomp 12 left a thread asleep at a taskgroup's end once in some hundred runs
 *   on a busy machine */
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

static void between(struct node *mine, int round)
{
    if (round % 5 == 4) {
        mine->in_barrier = 1;
#pragma omp barrier
        mine->in_barrier = 0;
    } else if (round % 5 == 2) {
#pragma omp taskwait
    }
}

int main(void)
{
    hold(ROUNDS, 2, holder, between);
    /* A round makes six trees of five tasks each: two before the holder, two in it, two after
     * it. */
    CHECK_EQ(done, ROUNDS * check_threads() * 6 * 5);
    return check_done();
}
