// The initial thread ends itself in a loop of a region; the process lives on without it.
// @kind: member-gone
// @says: for member 0
// @alone
#include "hang.h"

static long sum;

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        #pragma omp for schedule(static, 1) // <A>
        for (int i = 0; i < 3; i++) { // <A>
            if (i == 0) pthread_exit(NULL);
            #pragma omp atomic
            sum += i; // <A>
        } // <A>
        #pragma omp single
        sum++;
    }
    return sum == 4;
}
