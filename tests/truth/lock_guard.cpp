// A table with many locks whose hash always picks the first one; an object of a class holds it.
#include "truth.h"

struct guard_t {
    omp_lock_t &lock;
    explicit guard_t(omp_lock_t &its) : lock(its) { omp_set_lock(&lock); } // disease: hot-mutex
    ~guard_t() { omp_unset_lock(&lock); }
};

struct table_t {
    static const int SIZE = 64;
    omp_lock_t locks[SIZE];
    double sums[SIZE];
    table_t()
    {
        for (int i = 0; i < SIZE; i++)
            omp_init_lock(&locks[i]), sums[i] = 0;
    }
    void add(long key)
    {
        int at = key * SIZE % SIZE;
        guard_t guard(locks[at]);
        for (int k = 0; k < 150; k++)
            sums[at] = sums[at] * 0.999 + 1;
    }
};

static table_t table;

int main()
{
    double begin = now();
    #pragma omp parallel for num_threads(2) // mark: region
    for (long i = 0; i < 1500000; i++)
        table.add(i);
    truth("elapsed", now() - begin);
    return table.sums[0] > 0 ? 0 : 1;
}
