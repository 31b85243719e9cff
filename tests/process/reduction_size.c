/* A task reduction over more elements than any memory has: one line says so, and the process
 * ends. */
#include "../conformance/check.h"

int main(void)
{
    static int cell;
    int *section = &cell;
    volatile long far_too_many = 1L << 60;
    long length = far_too_many;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : section[0 : length])
    {
#pragma omp task in_reduction(+ : section[0 : length])
        section[0]++;
    }
    return check_done();
}
