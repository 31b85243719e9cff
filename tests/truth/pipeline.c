// Three stages of tasks that hand buffers on by dependences; the middle one is the slowest.
#include "truth.h"

static double read_took, change_took, write_took;

int main(void)
{
    double begin = now();
    int file = 0, sink = 0, buffer[4] = {0};
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    for (int k = 0; k < 24; k++) {
        #pragma omp task depend(inout : file) depend(out : buffer[k % 4]) // mark: get
        read_took += burn_ran(0.003);
        #pragma omp task depend(inout : buffer[k % 4]) // mark: change
        {
            double took = burn_ran(0.014);
            #pragma omp atomic
            change_took += took;
        }
        #pragma omp task depend(in : buffer[k % 4]) depend(inout : sink) // mark: put
        write_took += burn_ran(0.002);
    }
    truth("task_work@get", read_took);
    truth("task_work@change", change_took);
    truth("task_work@put", write_took);
    truth("tasks@change", 24);
    truth("ran@region", read_took + change_took + write_took);
    truth("elapsed", now() - begin);
}
