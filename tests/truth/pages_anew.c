// Each step has its memory anew: the system makes a page at the first access to each, and takes all
// of them back at the end of the step.
#include "truth.h"
#include <sys/mman.h>

enum { BYTES = 1 << 20 };

int main(void)
{
    double begin = now();
    long sum = 0;
    #pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(static)
    for (int step = 0; step < 2000; step++) {
        char *own =
            mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int i = 0; i < BYTES; i += 64)
            own[i] = (char)step; // disease: page-faults
        sum += own[step];
        munmap(own, BYTES);
    }
    truth("elapsed", now() - begin);
    return sum == 0;
}
