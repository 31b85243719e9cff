// Two regions inside a region: a worker of each wants the lock that the other one's primary holds.
// @kind: barrier-in-cycle
// @debuggers
#include "hang.h"

static omp_lock_t first, second;

int main(void) {
    int sum = 0;
    omp_init_lock(&first);
    omp_init_lock(&second);
    omp_set_max_active_levels(2);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        omp_lock_t *mine = omp_get_thread_num() ? &second : &first;
        omp_lock_t *other = omp_get_thread_num() ? &first : &second;
        omp_set_lock(mine); // <A>
        wait_for_all(2);
        #pragma omp parallel num_threads(2) reduction(+ : sum)
        if (omp_get_thread_num() == 1) {
            omp_set_lock(other); // <B>
            sum++;
            omp_unset_lock(other);
        }
        omp_unset_lock(mine);
    }
    return sum;
}
