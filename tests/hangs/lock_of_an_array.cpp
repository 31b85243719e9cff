// A guard takes a lock of an array that its thread holds: in both debuggers the line is the user's,
// not the guard's.
// @kind: lock-taken-twice
// @says: the lock 'fixed[2]'
// @also: -O2
// @debuggers
#include "hang.h"

static omp_lock_t fixed[4];

struct Guard {
    omp_lock_t &lock;
    explicit Guard(omp_lock_t &lock) : lock(lock) { omp_set_lock(&lock); } // <never>
    ~Guard() { omp_unset_lock(&lock); }
};

int main() {
    for (auto &lock : fixed) omp_init_lock(&lock);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            Guard outer(fixed[2]);
            Guard inner(fixed[2]); // <A>
        }
    }
}
