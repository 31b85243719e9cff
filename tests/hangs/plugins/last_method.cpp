// A virtual method ends in a region, and what the region calls last is inlined into it.
// @kind: lock-cycle
#include <omp.h>
#include <unistd.h>

static omp_lock_t first, second;

struct Base {
    virtual void go(int threads) = 0;
    virtual ~Base() {}
};

struct Worker : Base {
    void take(omp_lock_t *lock) {
        omp_set_lock(lock); // <A>
    }

    void go(int threads) override {
#pragma omp parallel num_threads(threads)
        {
            int me = omp_get_thread_num();
            omp_lock_t *own = me == 0 ? &first : &second;
            if (me < 2) {
                omp_set_lock(own);
                usleep(100000);
                take(me == 0 ? &second : &first); // <A>
            }
        }
    }
};

extern "C" void work() {
    omp_init_lock(&first);
    omp_init_lock(&second);
    Base *worker = new Worker;
    worker->go(2);
}
