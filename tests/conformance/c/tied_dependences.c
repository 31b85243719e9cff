/* An undeferred task with dependences, and a taskwait with dependences, wait for siblings of
 * theirs. The thread begins descendants of the tied task that waits, and no others: the task may
 * hold a lock that those want. */
#include "waits.h"

enum { ROUNDS = 12 };

static void predecessor(struct node *maker, int *cell)
{
    struct node *node = malloc(sizeof *node);
    begins(node, maker);
    usleep(100);
    ++*cell;
    ends(node);
}

static void holder(struct node *maker, int round)
{
    (void)round;
    struct node *node = malloc(sizeof *node);
    begins(node, maker);
#pragma omp critical(held)
    {
        int x = 0, y = 0;
        strangers(node, 2);
#pragma omp task depend(inout : x) firstprivate(node) shared(x)
        predecessor(node, &x);
#pragma omp task depend(inout : y) firstprivate(node) shared(y)
        predecessor(node, &y);
        strangers(node, 2);
#pragma omp task if (0) depend(inout : x) firstprivate(node) shared(x)
        {
            CHECK_EQ(x, 1);
            predecessor(node, &x);
        }
#pragma omp taskwait depend(in : y)
        CHECK_EQ(x, 2);
        CHECK_EQ(y, 1);
    }
    ends(node);
}

static void between(struct node *mine, int round)
{
    (void)mine;
    if (round % 4 == 3) {
#pragma omp taskwait
    }
}

int main(void)
{
    hold(ROUNDS, 3, holder, between);
    CHECK_EQ(done, ROUNDS * check_threads() * 10 * 5);
    return check_done();
}
