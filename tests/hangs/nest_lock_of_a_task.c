// A nest lock belongs to a task: another task of the same thread cannot take it again.
// @kind: lock-taken-twice
// @says: another one of its own tasks holds
#include "hang.h"

static omp_nest_lock_t lock;

int main(void) {
    omp_init_nest_lock(&lock);
    ready();
    #pragma omp parallel num_threads(1)
    {
        omp_set_nest_lock(&lock);
        #pragma omp task if(0)
        {
            omp_set_nest_lock(&lock); // <A>
            omp_unset_nest_lock(&lock);
        }
        omp_unset_nest_lock(&lock);
    }
    return 0;
}
