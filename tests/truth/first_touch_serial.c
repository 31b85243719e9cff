// One thread fills fresh memory, which is the kernel's work nearly all, and computes a third as
// long; then both threads use what is there.
#include "truth.h"
#include <sys/mman.h>

static const size_t size = 64 << 20;

APART void fill(char *fresh)
{
    for (size_t i = 0; i < size; i += 4096)
        fresh[i] = 1; // disease: serial-time
}

int main(void)
{
    double begin = now(), serial = 0;
    own_t own[2] = {{0}};
    for (int step = 0; step < 6; step++) {
        double from = now();
        char *a = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(a, size, MADV_NOHUGEPAGE);
        double filling = now();
        fill(a);
        burn((now() - filling) / 3);
        serial += now() - from;
        #pragma omp parallel num_threads(2) // mark: region
        {
            double from = now();
            #pragma omp for nowait
            for (size_t i = 0; i < size; i += 4096)
                a[i]++;
            own[omp_get_thread_num()].seconds += now() - from + burn(0.005);
        }
        from = now();
        munmap(a, size);
        serial += now() - from;
    }
    truth("serial", serial);
    truth("work@region", sum_of(own, 2));
    truth("elapsed", now() - begin);
}
