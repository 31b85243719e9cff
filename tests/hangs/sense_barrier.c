// A barrier of the program's own, whose members wait for a number other than their own one, which
// is on their stack. One member comes once less.
// @kind: spins
// @says: for the variable 'sense' to change
// @alone
// @also: -O0
#include "hang.h"

static int come;
static volatile int sense;

static void meet(int members, int *mine) {
    int number;
    *mine = !*mine;
    #pragma omp atomic capture
    number = ++come;
    if (number == members) {
        come = 0;
        sense = *mine;
    } else {
        while (sense != *mine) { // <A>
            #pragma omp flush
        }
    }
}

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        int mine = 0;
        meet(3, &mine);
        if (omp_get_thread_num() != 0) meet(3, &mine);
    }
    return 0;
}
