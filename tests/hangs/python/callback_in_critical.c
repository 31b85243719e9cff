// A member calls back into Python in a critical section; the one with Python's lock wants that.
// @kind: lock-cycle
// @says: waits for Python's interpreter lock (the GIL), which thread 0 holds
#include <omp.h>
#include <sched.h>
static int inside;
double work(double (*callback)(double)) {
    double sum = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0)
            while (!__atomic_load_n(&inside, __ATOMIC_ACQUIRE)) sched_yield();
#pragma omp critical(one) // <B>
        {
            __atomic_store_n(&inside, 1, __ATOMIC_RELEASE);
            sum += callback(1); // <A>
        }
    }
    return sum;
}
