// One thread touches each page first, in a region, and then both use them.
#include "truth.h"
#include <sys/mman.h>

int main(void)
{
    size_t size = 64 << 20;
    double begin = now(), first = 0;
    own_t own[2] = {{0}};
    for (int step = 0; step < 4; step++) {
        double from = now();
        char *a = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(a, size, MADV_NOHUGEPAGE);
        for (size_t i = 0; i < size; i += 4096)
            a[i] = 1; // disease: serial-time
        first += now() - from;
        #pragma omp parallel num_threads(2) // mark: region
        {
            double from = now();
            #pragma omp for nowait
            for (size_t i = 0; i < size; i += 4096)
                a[i]++;
            own[omp_get_thread_num()].seconds += now() - from + burn(0.010);
        }
        from = now();
        munmap(a, size);
        first += now() - from;
    }
    truth("serial", first);
    truth("work@region", sum_of(own, 2));
    truth("elapsed", now() - begin);
}
