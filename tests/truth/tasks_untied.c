// Untied tasks that make untied tasks: clang divides each into parts, which any thread may execute.
#include "truth.h"

static volatile double result;

static void work(void)
{
    double sum = 0;
    for (int i = 0; i < 20000; i++)
        sum += i;
    result = sum;
}

int main(void)
{
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single nowait
    #pragma omp task untied // mark: outer
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 100; i++) {
            #pragma omp task untied // mark: inner
            work();
        }
        #pragma omp taskwait
    }
    truth("tasks@outer", 1);
    truth("tasks@inner", 10000);
    return 0;
}
