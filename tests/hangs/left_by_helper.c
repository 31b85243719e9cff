// What inserts an item gives the lock back that its caller took, but not where it refuses the item:
// it is inlined there.
// @kind: lock-taken-twice
// @says: has a way out at left_by_helper.c
#include "hang.h"

#include <stdlib.h>

#define BUCKETS 4

struct item {
    int key, count;
    struct item *next;
};

static struct {
    omp_lock_t guard;
    struct item *head;
} table[BUCKETS];

static inline __attribute__((always_inline)) int insert(int bucket, int key, int count) {
    struct item *item = table[bucket].head;
    while (item && item->key != key) item = item->next;
    if (!item) {
        item = calloc(1, sizeof *item);
        item->key = key;
        item->next = table[bucket].head;
        table[bucket].head = item;
    }
    if (item->count + count > 500)
        return -1; // <B>
    item->count += count;
    omp_unset_lock(&table[bucket].guard);
    return 0;
}

__attribute__((noinline)) static int update(int key, int count) {
    int bucket = key % BUCKETS;
    omp_set_lock(&table[bucket].guard); // <A>
    return insert(bucket, key, count);
}

int main(void) {
    int failed = 0;
    for (int at = 0; at < BUCKETS; at++) omp_init_lock(&table[at].guard);
    ready();
    #pragma omp parallel num_threads(1) reduction(+ : failed)
    for (int at = 0; at < 200000; at++) failed += update(at * 7919 % 97, 1 + at % 5) != 0;
    printf("%d\n", failed);
    return 0;
}
