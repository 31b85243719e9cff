// A task takes a lock and begins a region: a member of that region wants the lock.
// @kind: barrier-in-cycle
// @also: -O0
// @debuggers
#include "hang.h"

static omp_lock_t table;

static int inner(void) {
    int sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum) // <A>
    {
        if (omp_get_thread_num() == 1) {
            omp_set_lock(&table); // <B>
            sum++;
            omp_unset_lock(&table);
        }
    }
    return sum;
}

int main(void) {
    int sum = 0;
    omp_init_lock(&table);
    omp_set_max_active_levels(2);
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        #pragma omp task shared(sum)
        {
            omp_set_lock(&table);
            sum = inner();
            omp_unset_lock(&table);
        }
        #pragma omp taskwait
    }
    return sum;
}
