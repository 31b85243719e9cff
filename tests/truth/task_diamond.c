// Tasks with dependences, in diamonds: two of the four can run at a time.
#include "truth.h"

int main(void)
{
    double begin = now(), first = 0, left = 0, right = 0, last = 0;
    int a = 0, b = 0, c = 0;
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    for (int i = 0; i < 15; i++) {
        #pragma omp task depend(out : a, b) depend(inout : c) // mark: first
        first += burn_ran(0.010);
        #pragma omp task depend(inout : a) // mark: left
        left += burn_ran(0.020);
        #pragma omp task depend(inout : b) // mark: right
        right += burn_ran(0.020);
        #pragma omp task depend(in : a, b) depend(inout : c) // mark: last
        last += burn_ran(0.005);
    }
    truth("tasks", 60);
    truth("task_work", first + left + right + last);
    truth("elapsed", now() - begin);
}
