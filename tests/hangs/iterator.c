// A task depends on others by an iterator: one of them wants the critical section in which its
// maker waits for all.
// @kind: task-in-cycle
// @also: -O0
#include "hang.h"

int main(void) {
    int part[8] = {0}, sum = 0;
    volatile int begun = 0, inside = 0;
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        for (int i = 0; i < 8; i++) {
            #pragma omp task depend(out : part[i]) shared(part, begun, inside) firstprivate(i)
            {
                if (i == 5) {
                    begun = 1;
                    while (!inside) usleep(1000);
                    #pragma omp critical(parts) // <B>
                    part[i] = 1;
                }
            }
        }
        // The other thread executes it.
        while (!begun) usleep(1000);
        #pragma omp critical(parts)
        {
            inside = 1;
            #pragma omp task depend(iterator(i = 0 : 8), in : part[i]) shared(part, sum)
            for (int i = 0; i < 8; i++) sum += part[i];
            #pragma omp taskwait // <A>
        }
    }
    return sum;
}
