// Python calls the library and keeps its interpreter lock; the members call back into Python.
// @kind: barrier-in-cycle
// @says: wait for Python's interpreter lock (the GIL), which thread 0 holds
// @alone
#include <omp.h>
double work(double (*callback)(double)) {
    double sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(3) // <A>
    {
        // Python code of thread 0 would give the others a turn now and then.
        if (omp_get_thread_num() != 0) sum += callback(1); // <B>
    }
    return sum;
}
