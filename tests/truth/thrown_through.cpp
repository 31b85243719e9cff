// Exceptions leave functions that hold a lock by a guard, inside of a loop's iterations.
#include "truth.h"
#include <stdexcept>

struct Guard {
    omp_lock_t *lock;
    double waited;
    explicit Guard(omp_lock_t *lock) : lock(lock)
    {
        double asked = now();
        omp_set_lock(lock); // mark: lock, disease: hot-mutex
        waited = now() - asked;
    }
    ~Guard() { omp_unset_lock(lock); }
};

static own_t work[2], wait[2];

__attribute__((noinline)) static void update(omp_lock_t *lock, int i)
{
    int me = omp_get_thread_num();
    Guard guard(lock);
    wait[me].seconds += guard.waited;
    work[me].seconds += burn(0.004);
    if (i % 2)
        throw std::runtime_error("odd");
}

int main()
{
    double begin = now();
    omp_lock_t lock;
    omp_init_lock(&lock);
    int odd = 0;
    for (int step = 0; step < 6; step++) {
        #pragma omp parallel for num_threads(2) reduction(+ : odd) schedule(static) // mark: region
        for (int i = 0; i < 20; i++) {
            work[omp_get_thread_num()].seconds += burn(0.001);
            try {
                update(&lock, i);
            } catch (const std::exception &) {
                odd++;
            }
        }
    }
    omp_destroy_lock(&lock);
    truth("work@region", sum_of(work, 2));
    truth("mutex_wait@region", sum_of(wait, 2));
    truth("acquisitions@lock", 120);
    truth("elapsed", now() - begin);
    return odd != 60;
}
