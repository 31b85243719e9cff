// A task of a group inside a critical section wants the same section; the group waits for it.
// @kind: critical-in-critical
// @says: critical section 'table'
// @debuggers
#include "hang.h"

__attribute__((noinline)) static void add(int *sum) {
    #pragma omp critical(table) // <A>
    ++*sum; // <A>
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp critical(table) // <B>
        {
            #pragma omp taskgroup // <B>
            {
                #pragma omp task shared(sum) if (0)
                add(&sum);
            }
        }
    }
    return sum;
}
