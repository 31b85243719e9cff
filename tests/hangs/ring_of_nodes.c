// A list whose end leads back into it: the thread that counts its nodes goes round for ever.
// @kind: spins
// @says: walks in a circle of 8 elements at ring_of_nodes.c:
// @says: by the member 'next' each leads to the next one (read at ring_of_nodes.c:
// @says: The code writes such variables at ring_of_nodes.c:
// @stock: spins
// @also: -O0
#include <stdlib.h>
#include "hang.h"

struct node {
    struct node *next;
};

static int __attribute__((noinline)) length(const struct node *node) {
    int count = 0;
    for (; node; node = node->next) count++; // <A>
    return count;
}

int main(void) {
    struct node *nodes = calloc(10, sizeof *nodes);
    for (int at = 0; at < 9; at++) nodes[at].next = &nodes[at + 1];
    nodes[9].next = &nodes[2]; // <B>
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    if (omp_get_thread_num() == 1) sum += length(nodes);
    printf("%d\n", sum);
    return 0;
}
