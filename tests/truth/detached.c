// Detached tasks, which other tasks complete.
#include "truth.h"

int main(void)
{
    double begin = now(), others = 0;
    #pragma omp parallel num_threads(2)
    #pragma omp single
    for (int i = 0; i < 10; i++) {
        omp_event_handle_t event;
        #pragma omp task detach(event) // mark: detached
        burn_ran(0.001);
        #pragma omp task // mark: other
        {
            double took = burn_ran(0.01);
            omp_fulfill_event(event);
            #pragma omp atomic
            others += took;
        }
        #pragma omp taskwait
    }
    truth("tasks@detached", 10);
    truth("tasks@other", 10);
    truth("task_work@other", others);
    truth("elapsed", now() - begin);
}
