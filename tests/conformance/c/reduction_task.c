/* task reductions: reduction(task, …), task_reduction and in_reduction. */
#include "check.h"

int main(void)
{
    long sum = 0, group = 0;
#pragma omp parallel reduction(task, + : sum)
    {
        sum += 1;
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
            sum += i;
        }
    }
    CHECK_EQ(sum, 4950 + check_threads());
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : group)
        {
            for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : group) firstprivate(i)
                {
                    group += i;
#pragma omp task in_reduction(+ : group)
                    group += 1;
                }
            }
        }
    }
    CHECK_EQ(group, 5050);
    long loop = 0;
#pragma omp parallel
    {
#pragma omp for reduction(task, + : loop) schedule(dynamic)
        for (int i = 0; i < 40; i++) {
#pragma omp task in_reduction(+ : loop) firstprivate(i)
            loop += i;
        }
    }
    CHECK_EQ(loop, 780);
    return check_done();
}
