// A slot of an array that the program has asked for is never filled.
// @kind: spins
// @says: the variable 'slots
#include "hang.h"

#include <stdatomic.h>
#include <stdlib.h>

struct slot {
    double value;
    atomic_int full;
};

static struct slot *slots;

__attribute__((noinline)) static void put(int at, double value) {
    if (value < 0) return;
    slots[at].value = value;
    slots[at].full = 1; // <B>
}

__attribute__((noinline)) static double get(int at) {
    while (!atomic_load(&slots[at].full)) // <A>
        usleep(100); // <A>
    return slots[at].value;
}

int main(void) {
    double sum = 0;
    slots = calloc(16, sizeof *slots);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        for (int at = 0; at < 16; at++) {
            if (omp_get_thread_num() == 0) put(at, at == 9 ? -1 : at);
            else sum += get(at);
        }
    }
    return sum < 0;
}
