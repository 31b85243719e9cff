// Threads take items from a queue until none is open; an item that is too small is dropped and
// stays open. All threads poll for ever, each with calls and a lock in its rounds. Whether such
// rounds lead anywhere, nobody can tell from outside: no cause is named, but the variable is.
// @kind: none
// @says: for the variable 'queue.open' (now 2, read at polls_with_a_lock.c:
// @says: work has a way past the store at polls_with_a_lock.c:46: it leaves at polls_with_a_lock.c:43
#include <sched.h>
#include <stdatomic.h>
#include "hang.h"

static struct {
    atomic_flag busy;
    int count, items[64];
    atomic_int open;
} queue;

static void __attribute__((noinline)) push(int item) {
    atomic_fetch_add(&queue.open, 1);
    while (atomic_flag_test_and_set(&queue.busy)) sched_yield();
    queue.items[queue.count++] = item;
    atomic_flag_clear(&queue.busy);
}

static int __attribute__((noinline)) pop(int *item) {
    int found = 0;
    while (atomic_flag_test_and_set(&queue.busy)) sched_yield();
    if (queue.count > 0) {
        *item = queue.items[--queue.count];
        found = 1;
    }
    atomic_flag_clear(&queue.busy);
    return found;
}

static void __attribute__((noinline)) work(void) {
    int item;
    while (atomic_load(&queue.open) > 0) {
        if (!pop(&item)) {
            sched_yield();
            continue;
        }
        if (item < 2)
            continue;
        push(item / 2);
        push(item - item / 2 - 1);
        atomic_fetch_sub(&queue.open, 1);
    }
}

int main(void) {
    ready();
    push(2);
    #pragma omp parallel num_threads(2)
    work();
    return 0;
}
