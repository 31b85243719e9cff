// A ring is full by two indices, and the producer waits for either to change. Only the consumer
// changes the second one, and the region has one thread, so nobody consumes.
// @kind: spins
// @says: for the variable 'rings[0].head' to change, or 'rings[0].tail' (read at ring_of_two
// @says: Its loop looks at 'rings[0].head' (8 now, such members are written at ring_of_two_indices.c:
// @says: at 'rings[0].tail' (0 now, such members are written at ring_of_two_indices.c:
// @alone
#include <stdatomic.h>
#include "hang.h"

enum { SLOTS = 8, ITEMS = 100 };

struct ring {
    int slots[SLOTS];
    atomic_int head, tail;
};
static struct ring rings[2];

static void __attribute__((noinline)) produce(struct ring *ring) {
    for (int item = 0; item < ITEMS; item++) {
        while (atomic_load(&ring->head) - atomic_load(&ring->tail) == SLOTS) {} // <A>
        ring->slots[atomic_load(&ring->head) % SLOTS] = item;
        atomic_fetch_add(&ring->head, 1);
    }
}

static int __attribute__((noinline)) consume(struct ring *ring) {
    int sum = 0;
    for (int item = 0; item < ITEMS; item++) {
        while (atomic_load(&ring->head) == atomic_load(&ring->tail)) {}
        sum += ring->slots[atomic_load(&ring->tail) % SLOTS];
        atomic_fetch_add(&ring->tail, 1); // <B>
    }
    return sum;
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(1)
    {
        if (omp_get_thread_num() == 0) produce(&rings[0]);
        if (omp_get_thread_num() == 1) sum = consume(&rings[0]);
    }
    return sum;
}
