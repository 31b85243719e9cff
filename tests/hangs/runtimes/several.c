// A program by one compiler loads a library by another one, and each has a runtime of its own: both
// are said. With LIBRARY defined this is the library.
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

void compute(void);

#ifdef LIBRARY

void compute(void) {
    #pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == 1) {
        alarm(240);
        puts("ready");
        fflush(stdout);
        char byte;
        while (read(0, &byte, 1) > 0) {}
    }
}

#else

static int sum;

int main(void) {
    #pragma omp parallel num_threads(2)
    {
        #pragma omp atomic
        sum++;
    }
    compute();
    return sum == 2 ? 0 : 1;
}

#endif
