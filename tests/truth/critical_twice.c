// One named critical construct in two functions is one mutex; an unnamed one is another.
#include "truth.h"

static own_t first[2], second[2], plain[2], wait[2];

APART void push(int me)
{
    double asked = now();
    #pragma omp critical(list) hint(omp_sync_hint_contended) // mark: push, disease: hot-mutex
    {
        wait[me].seconds += now() - asked;
        first[me].seconds += burn(0.005);
    }
}

APART void pop(int me)
{
    double asked = now();
    #pragma omp critical(list) hint(omp_sync_hint_contended) // mark: pop
    {
        wait[me].seconds += now() - asked;
        second[me].seconds += burn(0.003);
    }
}

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region
    for (int i = 0; i < 30; i++) {
        int me = omp_get_thread_num();
        push(me);
        pop(me);
        #pragma omp critical // mark: plain
        plain[me].seconds += burn(0.001);
    }
    truth("acquisitions@push", 120);
    truth("held@push", sum_of(first, 2) + sum_of(second, 2));
    truth("lock_wait@push", sum_of(wait, 2));
    truth("acquisitions@plain", 60);
    truth("held@plain", sum_of(plain, 2));
    truth("work@region", sum_of(first, 2) + sum_of(second, 2) + sum_of(plain, 2));
    truth("elapsed", now() - begin);
}
