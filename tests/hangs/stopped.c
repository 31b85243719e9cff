// A signal stopped the program, wherever its other thread is then.
// @kind: stopped
// @alone
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
        #pragma omp barrier
        sum++;
    }
    return sum;
}
