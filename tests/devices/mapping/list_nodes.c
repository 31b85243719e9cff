/* A list of which the head alone is mapped.
 * @finds: missing-map head.next */
#include <stdio.h>
#include <stdlib.h>

struct node {
    long value;
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i;
        node->next = head;
        head = node;
    }
    long total = 0;
#pragma omp target map(to : head[0 : 1]) map(tofrom : total)
    for (struct node *at = head; at; at = at->next)
        total += at->value; /* @here */
    printf("%ld\n", total);
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
