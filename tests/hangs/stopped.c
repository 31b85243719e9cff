// A signal stopped the program.
// @kind: stopped
#include "hang.h"

#include <signal.h>

static volatile int work;

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) {
            raise(SIGSTOP); // <A>
            work++;
        }
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
