// Members add to numbers by exchanging them, often without changing them.
// @kind: none
// @also: -O1
#include "hang.h"

#include <string.h>

static float sums[97];

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

static void add(float *to, float number) {
    float now = *to, before;
    do {
        before = now;
        int new = bits_of(before + number);
        now = number_of(__sync_val_compare_and_swap((int *)to, bits_of(before), new));
    } while (before != now);
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(2)
    {
        float *own = &sums[48 * omp_get_thread_num()];
        for (long i = 0; i < 100000000000; i++) add(own, 0);
        for (long i = 0; i < 100000000000; i++) add(&sums[i % 97], i % 3);
    }
    return sums[0] != 0;
}
