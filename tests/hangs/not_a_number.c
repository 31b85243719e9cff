// A member looks for a root that is none, and finds it in no round: all are alike.
// @kind: spins
// @says: each round of its loop is like the last one
#include "hang.h"

#include <math.h>

static volatile double numbers[3] = {2, 3, -NAN};

static double __attribute__((noinline)) root(double of) {
    double now = 1, error;
    do {
        now = 0.5 * (now + of / now); // <A>
        error = now * now - of;       // <A>
    } while (!(fabs(error) < 1e-9));  // <A>
    return now;
}

int main(void) {
    double sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        sum += root(numbers[omp_get_thread_num()]);
        #pragma omp barrier
        sum++;
    }
    return (int)sum;
}
