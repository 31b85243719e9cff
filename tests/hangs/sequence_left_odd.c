// A writer leaves the number of a sequence lock odd: readers begin again and again.
// @kind: spins
// @says: has a way past the store at sequence_left_odd.c:20: it leaves at sequence_left_odd.c:17
// @stock: spins
#include "hang.h"

#include <math.h>
#include <stdatomic.h>

static _Atomic unsigned sequence;
static _Atomic double px, py;

static int publish(double x, double y) {
    atomic_fetch_add(&sequence, 1);
    if (!isfinite(x) || !isfinite(y)) {
        puts("no position");
        return 1;
    }
    px = x, py = y;
    atomic_fetch_add(&sequence, 1); // <B>
    return 0;
}

static double radius(void) {
    unsigned before, after;
    double x, y;
    do {
        before = sequence;
        x = px, y = py;
        after = sequence;
    } while (before != after || before & 1);
    return x * x + y * y;
}

int main(void) {
    double sum = 0;
    int lost = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum, lost)
    if (omp_get_thread_num() == 0) {
        for (int at = 0; at < 200; at++) lost += publish(at, 1e4 / (150 - at));
    } else {
        for (long at = 0; at < 300000000; at++) sum += radius();
    }
    printf("%g, %d lost\n", sum, lost);
    return 0;
}
