// A table of open addresses is full: the thread with one more key probes it for ever, and the
// others wait at the end of the region.
// @kind: spins
// @says: walks in a circle of 1024 elements at probes_full_table.c:
// @says: it has come by all of them in 'slots' (read at probes_full_table.c:
// @stock: spins
// @also: -O0
#include "hang.h"

enum { SLOTS = 1024, MASK = SLOTS - 1 };

static unsigned slots[SLOTS], used;

static unsigned __attribute__((noinline)) find_or_add(unsigned key) {
    for (unsigned at = key * 2654435761u & MASK;; at = (at + 1) & MASK) {
        unsigned found = __atomic_load_n(&slots[at], __ATOMIC_ACQUIRE);
        if (found == key) return at;
        if (found == 0) {
            unsigned none = 0;
            if (__atomic_compare_exchange_n(&slots[at], &none, key, 0, 5, 5)) return used++, at;
            if (none == key) return at;
        }
    }
}

int main(void) {
    unsigned long sum = 0;
    for (unsigned key = 1; key <= SLOTS; key++) sum += find_or_add(key);
    ready();
    #pragma omp parallel for schedule(static, 1) num_threads(4) reduction(+ : sum)
    for (int at = 0; at < 4; at++) sum += find_or_add(at == 2 ? SLOTS + 1 : 1 + at);
    printf("%lu\n", sum);
    return 0;
}
