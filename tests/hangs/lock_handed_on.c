// Hand over hand along a list: the lock that a thread has was taken in a function that has returned
// since. The call that its stack shows took the lock of another node.
// @kind: barrier-in-cycle
// @says: (perhaps taken at
// @also: -O0
#include "hang.h"

struct node {
    omp_lock_t guard;
    int value;
    struct node *next;
};

static struct node nodes[4];
static struct node *volatile head = nodes;

__attribute__((noinline)) static struct node *step(struct node *from) {
    struct node *to = from->next;
    if (to) omp_set_lock(&to->guard);
    omp_unset_lock(&from->guard);
    return to;
}

__attribute__((noinline)) static void walk(int me, int steps) {
    struct node *at = head;
    omp_set_lock(&at->guard);
    for (int taken = 0; taken < steps && at; taken++) {
        at->value += me;
        at = step(at);
    }
    #pragma omp barrier // <A>
    if (at) omp_unset_lock(&at->guard);
}

int main(void) {
    for (int at = 0; at < 4; at++) {
        omp_init_lock(&nodes[at].guard);
        nodes[at].next = at < 3 ? &nodes[at + 1] : NULL;
    }
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            walk(0, 2);
        else {
            pause_a_little();
            walk(1, 3);
        }
    }
    return 0;
}
