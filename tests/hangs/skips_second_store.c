// A writer marks its data as being changed, finds that nothing is to change, and leaves without the
// mark that the change is over: readers wait for an even number for ever.
// @kind: spins
// @says: advance has a way past the store at skips_second_store.c:30: it leaves at skips_second_store.c:26
// @stock: spins
#include "hang.h"

static volatile unsigned version;
static double value = 1;

static double __attribute__((noinline)) read_value(void) {
    unsigned before;
    double seen;
    do {
        while ((before = version) & 1) {} // <A>
        __sync_synchronize();
        seen = value;
        __sync_synchronize();
    } while (version != before);
    return seen;
}

static int __attribute__((noinline)) advance(double limit) {
    version++; // <B>
    __sync_synchronize();
    if (value * 2 > limit) return 0;
    value *= 2;
    __sync_synchronize();
    // The change is over.
    version++; // <B>
    return 1;
}

int main(void) {
    double sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0)
            while (advance(100)) {}
        #pragma omp barrier
        sum += read_value();
    }
    return sum > 0;
}
