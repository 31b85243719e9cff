// One thread goes round a ring of nodes and looks in each for work, which another one brings from a
// pipe. Nothing is wrong: the pipe may bring work, and the ring is meant to be one.
// @kind: none
// @never: walks in a circle
#include <stdatomic.h>
#include <unistd.h>
#include "hang.h"

enum { NODES = 5 };

struct node {
    struct node *next;
    atomic_int work;
};
static struct node ring[NODES];

int main(void) {
    for (int at = 0; at < NODES; at++) ring[at].next = &ring[(at + 1) % NODES];
    ready();
    #pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        struct node *at = ring;
        while (!atomic_load(&at->work)) at = at->next;
    } else {
        char item;
        if (read(0, &item, 1) >= 0) atomic_store(&ring[2].work, 1);
    }
    return 0;
}
