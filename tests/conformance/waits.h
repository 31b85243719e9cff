/* Where a thread may begin tasks, and which: what the programs about waits share.
 *
 * PLAIN: a thread says when it is where no task may begin (`nothing_begins`), and each task asks
 * whether its thread is.
 *
 * TIED: each task has a node, and each thread a row of those that it has begun and not ended. A
 * task may begin only if it descends from the uppermost of that row, unless this one waits in a
 * barrier (OpenMP 5.2, section 12.9). */
#ifndef WAITS_H
#define WAITS_H
#include "check.h"
#include <unistd.h>

/* Long enough for the others to come to their waits, and to look for tasks there if they do. */
enum { LONG = 3000 };

static __thread int plain;
static int done;

static void nothing_begins(int yes)
{
    plain = yes;
}

/* The body of a task that has nothing to do but to ask. */
static void ask(void)
{
    CHECK(!plain);
    __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
}

/* Makes some, which stay queued while there are others to take them. */
static inline void make_some(int count)
{
    int before = plain;
    nothing_begins(0);
    for (int i = 0; i < count; i++) {
#pragma omp task
        ask();
    }
    nothing_begins(before);
}

struct node {
    struct node *maker;
    /* What it stands on in its thread's row. */
    struct node *below;
    int in_barrier;
};

static __thread struct node *top;

static int descends(const struct node *node, const struct node *from)
{
    while (node && node != from)
        node = node->maker;
    return node != NULL;
}

/* The current task begins; it was made by that of `maker`. */
static inline void begins(struct node *node, struct node *maker)
{
    node->maker = maker;
    node->below = top;
    node->in_barrier = 0;
    CHECK(!top || top->in_barrier || descends(node, top));
    top = node;
}

static inline void ends(struct node *node)
{
    CHECK(top == node);
    top = node->below;
}

/* A task that makes `count` tasks, each of which makes as many less one, and waits for them. */
static void tree(struct node *maker, int count)
{
    struct node *node = malloc(sizeof *node);
    begins(node, maker);
    for (int i = 0; i < count; i++) {
#pragma omp task firstprivate(node, count)
        tree(node, count - 1);
    }
    if (count % 2) {
#pragma omp taskwait
    }
    __atomic_add_fetch(&done, 1, __ATOMIC_RELAXED);
    /* Not freed: later tasks may descend from it. */
    ends(node);
}

/* Makes tasks that are nobody's but the implicit task's, or those of `node`. */
static inline void strangers(struct node *node, int count)
{
    for (int i = 0; i < count; i++) {
#pragma omp task firstprivate(node)
        tree(node, 2);
    }
}

/* Every thread makes `rounds` tasks that run `holder`, each between twice `around` strangers; after
 * each round it does `between`. It leaves its implicit task by a barrier. */
static inline void hold(int rounds, int around, void (*holder)(struct node *maker, int round),
                        void (*between)(struct node *mine, int round))
{
#pragma omp parallel
    {
        struct node *mine = malloc(sizeof *mine);
        begins(mine, NULL);
        for (int round = 0; round < rounds; round++) {
            strangers(mine, around);
#pragma omp task firstprivate(mine, round)
            holder(mine, round);
            strangers(mine, around);
            between(mine, round);
        }
        mine->in_barrier = 1;
#pragma omp barrier
        ends(mine);
    }
}
#endif
