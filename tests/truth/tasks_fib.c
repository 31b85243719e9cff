// A recursive function that makes a task for each call.
#include "truth.h"

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
    #pragma omp task shared(a) // disease: small-tasks, mark: task
    a = fib(n - 1);
    b = fib(n - 2);
    #pragma omp taskwait
    return a + b;
}

int main(void)
{
    double begin = now(), region = 0;
    for (int step = 0; step < 12; step++) {
        double from = now();
        #pragma omp parallel num_threads(2) // mark: region
        #pragma omp single
        fib(26);
        region += now() - from;
    }
    truth("region@region", region);
    // Each call but the leaves makes one: F(27) - 1.
    truth("tasks@task", 12 * 196417.0);
    truth("elapsed", now() - begin);
}
