// A lock that its owner takes again, behind a guard object.
#include "truth.h"

class Guard {
    omp_nest_lock_t &lock;

public:
    explicit Guard(omp_nest_lock_t &l) : lock(l) { omp_set_nest_lock(&lock); }
    ~Guard() { omp_unset_nest_lock(&lock); }
};

static omp_nest_lock_t table;
static own_t held[4], waited[4], work[4];

__attribute__((noinline)) static void insert(int me)
{
    Guard again(table);
    held[me].seconds += burn(0.004);
}

int main()
{
    double begin = now();
    omp_init_nest_lock(&table);
    #pragma omp parallel num_threads(2) // mark: region, disease: hot-mutex anywhere
    for (int i = 0; i < 50; i++) {
        int me = omp_get_thread_num();
        work[me].seconds += burn(0.002);
        double asked = now();
        Guard guard(table);
        waited[me].seconds += now() - asked;
        held[me].seconds += burn(0.003);
        insert(me);
    }
    truth("mutex_wait", sum_of(waited, 2));
    truth("work@region", sum_of(work, 2) + sum_of(held, 2));
    truth("held", sum_of(held, 2));
    truth("elapsed", now() - begin);
}
