// Members add to a number by exchanging it until it is what they have read. It is none (a NaN),
// which equals nothing: all rounds are alike.
// @kind: spins
// @says: each round was like the last one
// @stock: spins
// @alone
// @also: -O1
#include "hang.h"

#include <math.h>
#include <string.h>

static float sums[2] = {NAN, NAN};

static int bits_of(float number) {
    int bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static float number_of(int bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

__attribute__((noinline)) static void add(float *to, float number) {
    float now = *to, before;
    do {
        before = now;
        int new = bits_of(before + number);
        now = number_of(__sync_val_compare_and_swap((int *)to, bits_of(before), new)); // <A>
    } while (before != now); // <A>
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        add(&sums[omp_get_thread_num()], 1); // <B>
        #pragma omp barrier
    }
    return sums[0] != 0;
}
