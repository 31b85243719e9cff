// Nothing is wrong: one thread looks up keys in a table again and again, and the other one waits
// for it. Each look finds it in the same short loop, which mostly stores nothing, in other calls.
// @kind: none
// @never: goes round the loop
#include <stdlib.h>
#include "hang.h"

enum { SLOTS = 1 << 20, MASK = SLOTS - 1, KEYS = SLOTS - SLOTS / 16 };

static unsigned *slots, used;

static unsigned __attribute__((noinline)) find_or_add(unsigned key) {
    for (unsigned at = key * 2654435761u & MASK;; at = (at + 1) & MASK) {
        if (slots[at] == key) return at;
        if (slots[at] == 0) {
            unsigned none = 0;
            if (__atomic_compare_exchange_n(&slots[at], &none, key, 0, 5, 5)) return used++, at;
            if (none == key) return at;
        }
    }
}

int main(void) {
    slots = calloc(SLOTS, sizeof *slots);
    unsigned long sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    if (omp_get_thread_num() == 1)
        for (unsigned round = 0; round < 100000; round++)
            for (unsigned key = 1; key < KEYS; key++) sum += find_or_add(key * 7 + 1);
    printf("%lu\n", sum);
    return 0;
}
