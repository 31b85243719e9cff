// A list whose end leads back into it: the thread that counts its nodes goes round for ever. A long
// list looks alike, so no cause is named, but the loop is.
// @kind: none
// @says: goes round the loop at ring_of_nodes.c:
// @says: and in rounds that store nothing and call nothing
// @says: Whether it comes to an end, only the program's author knows.
#include <stdlib.h>
#include "hang.h"

struct node {
    struct node *next;
};

static int __attribute__((noinline)) length(const struct node *node) {
    int count = 0;
    for (; node; node = node->next) count++;
    return count;
}

int main(void) {
    struct node *nodes = calloc(10, sizeof *nodes);
    for (int at = 0; at < 9; at++) nodes[at].next = &nodes[at + 1];
    nodes[9].next = &nodes[2];
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    if (omp_get_thread_num() == 1) sum += length(nodes);
    printf("%d\n", sum);
    return 0;
}
