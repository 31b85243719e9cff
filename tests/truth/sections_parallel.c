// A combined parallel sections construct, and sections nowait in a region of their own.
#include "truth.h"

static own_t a[2], b[2];

int main(void)
{
    double begin = now();
    int begun = 0;
    for (int step = 0; step < 12; step++) {
        begun = 0;
        #pragma omp parallel sections num_threads(2) // mark: combined
        {
            #pragma omp section
            {
                __atomic_fetch_add(&begun, 1, __ATOMIC_SEQ_CST);
                while (__atomic_load_n(&begun, __ATOMIC_SEQ_CST) < 2)
                    ;
                a[omp_get_thread_num()].seconds += burn(0.010);
            }
            #pragma omp section
            {
                __atomic_fetch_add(&begun, 1, __ATOMIC_SEQ_CST);
                while (__atomic_load_n(&begun, __ATOMIC_SEQ_CST) < 2)
                    ;
                a[omp_get_thread_num()].seconds += burn(0.010);
            }
        }
        #pragma omp parallel num_threads(2) // mark: region
        {
            #pragma omp sections nowait // mark: sections
            {
                #pragma omp section
                b[omp_get_thread_num()].seconds += burn(0.008);
            }
            #pragma omp single // mark: single
            b[omp_get_thread_num()].seconds += burn(0.004);
        }
    }
    truth("work@combined", sum_of(a, 2));
    truth("work@region", sum_of(b, 2));
    truth("instances@sections", 12);
    truth("instances@single", 12);
    truth("instances@combined", 12);
    truth("elapsed", now() - begin);
}
