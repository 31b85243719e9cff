/* A taskloop waits for its tasks as a taskgroup does: the thread begins descendants of the tied
 * task around it only. */
#include "waits.h"

enum { ROUNDS = 6, TRIP = 40 };

static void holder(struct node *maker)
{
    struct node *node = malloc(sizeof *node);
    begins(node, maker);
#pragma omp critical(held)
    {
#pragma omp taskloop grainsize(1) firstprivate(node)
        for (int i = 0; i < TRIP; i++) {
            if (i % 16 == 5)
                usleep(100);
            tree(node, 1);
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
            strangers(mine, 4);
#pragma omp task firstprivate(mine)
            holder(mine);
            strangers(mine, 4);
        }
        mine->in_barrier = 1;
#pragma omp barrier
        ends(mine);
    }
    CHECK_EQ(done, ROUNDS * check_threads() * (8 * 5 + TRIP * 2));
    return check_done();
}
