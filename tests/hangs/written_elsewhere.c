// A turn that is not passed on: the code that would have passed it is named.
// @kind: spins
// @says: The code writes it at written_elsewhere.c:11
// @also: -O2
#include "hang.h"

static int next, serving;
static double sum[4];

static void __attribute__((noinline)) pass_on(void) {
    __atomic_add_fetch(&serving, 1, __ATOMIC_SEQ_CST); // <B>
}

static void __attribute__((noinline)) enter(void) {
    int own = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&serving, __ATOMIC_SEQ_CST) != own) continue; // <A>
}

static void add(double value) {
    enter();
    if (value > 8) return;
    sum[(int)value % 4] += value;
    pass_on();
}

int main(void) {
    ready();
    #pragma omp parallel for num_threads(2) schedule(static)
    for (int i = 0; i < 12; i++) add(i);
    return sum[0] > 1;
}
