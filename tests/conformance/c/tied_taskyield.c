/* taskyield, and the making of a task, in a tied task: the thread begins descendants of that task
 * only, also with many tasks queued, when it executes some at once. */
#include "waits.h"

enum { ROUNDS = 6, MANY = 400 };

static void holder(struct node *maker)
{
    struct node *node = malloc(sizeof *node);
    begins(node, maker);
#pragma omp critical(held)
    for (int i = 0; i < MANY; i++) {
#pragma omp taskyield
#pragma omp task firstprivate(node)
        tree(node, 1);
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
            strangers(mine, 10);
#pragma omp task firstprivate(mine)
            holder(mine);
#pragma omp taskyield
        }
        mine->in_barrier = 1;
#pragma omp barrier
        ends(mine);
    }
    CHECK_EQ(done, ROUNDS * check_threads() * (10 * 5 + MANY * 2));
    return check_done();
}
