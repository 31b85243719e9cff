// A member spins on a flag that nobody sets, and counts its rounds.
// @kind: spins
// @says: for the variable 'flag' to change
// @alone
// @also: -O0
#include "hang.h"

static volatile int flag;

int main(void) {
    long total = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : total)
    {
        if (omp_get_thread_num() == 0) {
            long rounds = 0;
            while (!flag) // <A>
                rounds++; // <A>
            total += rounds;
        }
    }
    return (int)total;
}
