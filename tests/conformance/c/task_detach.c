/* task detach: the task is complete only when its event is fulfilled. */
#include "check.h"

int main(void)
{
    int body = 0, after = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
        omp_event_handle_t event;
        int cell = 0;
#pragma omp task detach(event) depend(out : cell) shared(body)
        {
#pragma omp atomic
            body++;
        }
#pragma omp task firstprivate(event)
        omp_fulfill_event(event);
#pragma omp task depend(in : cell) shared(after)
        {
#pragma omp atomic
            after++;
        }
#pragma omp taskwait
        CHECK_EQ(after, i + 1);
    }
    CHECK_EQ(body, 20);
    return check_done();
}
