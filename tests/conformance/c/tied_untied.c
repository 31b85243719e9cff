/* An untied task binds no thread, but it may stand on tied tasks that do: where it waits, the
 * thread begins descendants of the tied task below only. That one may hold a lock that others want.
 * @distrust: clang — LLVM's runtime begins others where an untied task has moved */
#include "waits.h"

enum { ROUNDS = 10 };

/* No node of its own: it may go on in another thread. What it makes descends from `node`. */
static void untied_tree(struct node *node, int depth)
{
    if (depth == 0)
        return tree(node, 2);
    for (int i = 0; i < 2; i++) {
#pragma omp task untied firstprivate(node, depth)
        {
            untied_tree(node, depth - 1);
#pragma omp task firstprivate(node)
            tree(node, 1);
#pragma omp taskwait
#pragma omp task firstprivate(node)
            tree(node, 1);
        }
    }
#pragma omp taskwait
}

static void holder(struct node *maker, int round)
{
    (void)round;
    struct node *node = malloc(sizeof *node);
    begins(node, maker);
#pragma omp critical(held)
    untied_tree(node, 2);
    ends(node);
}

static void between(struct node *mine, int round)
{
    (void)mine;
    if (round % 3 == 0) {
#pragma omp taskwait
    }
}

int main(void)
{
    hold(ROUNDS, 2, holder, between);
    /* Trees of 5 tasks; in each holder 4 of these and 6 untied tasks with two trees of 2. */
    CHECK_EQ(done, ROUNDS * check_threads() * (4 * 5 + 4 * 5 + 6 * 4));
    return check_done();
}
