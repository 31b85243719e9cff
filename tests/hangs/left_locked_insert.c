// A table's insert returns early for a key that it has already, and keeps the table's mutex.
// @kind: barrier-in-cycle
// @says: insert has a way out at
// @also: -O0
#include "hang.h"

#include <stdlib.h>

#define BUCKETS 16

struct entry {
    int key;
    int value;
    struct entry *next;
};

static struct entry *table[BUCKETS];
static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static struct entry *find(int key) {
    for (struct entry *at = table[key % BUCKETS]; at; at = at->next)
        if (at->key == key) return at;
    return NULL;
}

__attribute__((noinline)) static int insert(int key, int value) {
    pthread_mutex_lock(&table_mutex); // <A>
    struct entry *known = find(key);
    if (known != NULL) {
        known->value += value;
        return 0; // <B>
    }
    struct entry *new = malloc(sizeof *new);
    if (!new) abort();
    new->key = key;
    new->value = value;
    new->next = table[key % BUCKETS];
    table[key % BUCKETS] = new;
    count++;
    pthread_mutex_unlock(&table_mutex);
    return 1;
}

static int keys[2][4] = {{1, 2, 3, 4}, {5, 6, 5, 7}};

int main(void) {
    int added = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : added)
    {
        int me = omp_get_thread_num();
        for (int at = 0; me == 1 && at < 3; at++) added += insert(keys[me][at], at);
        // The second thread comes here with the mutex.
        #pragma omp barrier
        for (int at = 0; me == 0 && at < 3; at++) added += insert(keys[me][at], at);
        #pragma omp barrier
        if (me == 0) printf("%d keys\n", count);
    }
    return added == 0;
}
