// A task spins on a flag that its maker sets once it has waited for the task.
// @kind: spins
// @says: the variable 'flag'
#include "hang.h"

#include <sched.h>

static int flag;

int main(void) {
    int x = 0;
    ready();
    #pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        #pragma omp task depend(out : x) shared(x)
        {
            while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) sched_yield(); // <A>
            x = 1;
        }
        #pragma omp task depend(in : x) shared(x)
        x++;
        #pragma omp taskwait
        __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    }
    return x;
}
