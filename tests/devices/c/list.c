// A list goes to the device node by node, each attached to the one before.
#include <stdio.h>
#include <stdlib.h>

struct node {
    long value;
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 8; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = i;
        node->next = head;
        head = node;
    }
    for (struct node *at = head; at; at = at->next) {
#pragma omp target enter data map(to : at[0 : 1])
    }
    for (struct node *at = head; at && at->next; at = at->next) {
#pragma omp target enter data map(to : at->next[0 : 1])
    }
    long total = 0;
#pragma omp target map(tofrom : total) map(to : head[0 : 1])
    for (struct node *at = head; at; at = at->next) {
        at->value *= 3;
        total += at->value;
    }
    printf("%ld\n", total);
    total = 0;
    while (head) {
        struct node *next = head->next;
#pragma omp target update from(head->value)
        total += head->value;
#pragma omp target exit data map(delete : head[0 : 1])
        free(head);
        head = next;
    }
    printf("%ld\n", total);
    return 0;
}
