/* The graph that dependences make, as LLVM's entry points for its own tests show it: one edge for
 * two tasks, however many addresses they share. A task whose predecessors are not complete is read;
 * the first one waits for the end of the reading. */
/* @compilers: clang — they are in that interface only */
/* @distrust: clang — releases before 16 make an edge for each address */
/* @threads: 2 4 16 */
#include "check.h"
#include "kmpc_task.h"
#include <omp.h>

struct node {
    struct list *successors;
};
struct list {
    struct node *node;
    struct list *next;
};
struct task {
    TASK_HEAD
};
extern struct node *__kmpc_task_get_depnode(struct task *);
extern struct list *__kmpc_task_get_successors(struct task *);

static int order[16], ended, read_all;

static int body(int gtid, struct task *task)
{
    (void)gtid;
    if (task->shareds) /* the first one */
        while (!__atomic_load_n(&read_all, __ATOMIC_ACQUIRE))
            ;
    __atomic_store_n(&order[__atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST)], 1, __ATOMIC_SEQ_CST);
    return 0;
}

static char items[4];

/* A task with one kind of dependence on items FROM to TO. */
static struct task *make(int kind, int from, int to, int first)
{
    int gtid = __kmpc_global_thread_num(NULL);
    struct task *task = __kmpc_omp_task_alloc(NULL, gtid, 1, 40, 8, body);
    if (!first)
        task->shareds = NULL;
    struct depend list[4];
    for (int i = from; i <= to; i++)
        list[i - from] = (struct depend){(uintptr_t)&items[i], 1, (unsigned char)kind};
    __kmpc_omp_task_with_deps(NULL, gtid, task, to - from + 1, list, 0, NULL);
    return task;
}

/* Whether TASK has exactly COUNT successors, AFTER among them. */
static int before(struct task *task, int count, struct task *after)
{
    struct node *node = after ? __kmpc_task_get_depnode(after) : NULL;
    int found = after == NULL;
    struct list *list = __kmpc_task_get_successors(task);
    if (list != __kmpc_task_get_depnode(task)->successors)
        return 0;
    for (; list; list = list->next, count--)
        found |= list->node == node;
    return found && count == 0;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        /* Everything waits for the first one, so that nothing ends while it is looked at. */
        struct task *first = make(OUT, 0, 3, 1);
        struct task *a = make(SET, 0, 0, 0), *b = make(SET, 0, 1, 0), *c = make(SET, 1, 1, 0);
        CHECK(before(first, 3, a) && before(first, 3, b) && before(first, 3, c));
        struct task *d = make(IN, 0, 0, 0), *e = make(IN, 0, 1, 0), *f = make(IN, 1, 1, 0);
        struct task *g = make(OUT, 1, 1, 0);
        CHECK(before(a, 2, d) && before(a, 2, e));
        CHECK(before(b, 3, d) && before(b, 3, e) && before(b, 3, f));
        CHECK(before(c, 2, e) && before(c, 2, f));
        CHECK(before(d, 0, NULL) && before(e, 1, g) && before(f, 1, g));
        struct task *h = make(OUT, 0, 3, 0);
        CHECK(before(d, 1, h) && before(e, 2, h) && before(g, 1, h) && before(first, 4, h));
        __atomic_store_n(&read_all, 1, __ATOMIC_RELEASE);
#pragma omp taskwait
        CHECK_EQ(ended, 9);
    }
    return check_done();
}
