/* Recursive tasks with taskwait. */
#include "check.h"

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) firstprivate(n)
    a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
    int result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(16);
    CHECK_EQ(result, 987);
    return check_done();
}
