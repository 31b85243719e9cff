// healthy
// Exceptions are thrown and caught within regions and tasks.
#include "truth.h"
#include <stdexcept>

static own_t work[4];

__attribute__((noinline)) static void fails(double seconds)
{
    work[omp_get_thread_num()].seconds += burn(seconds);
    throw std::runtime_error("by design");
}

int main()
{
    double begin = now();
    int caught = 0;
    for (int step = 0; step < 15; step++) {
        #pragma omp parallel for schedule(dynamic, 1) num_threads(2) reduction(+ : caught) // mark: loop
        for (int i = 0; i < 8; i++) {
            try {
                fails(0.004);
            } catch (const std::exception &) {
                caught++;
            }
        }
        #pragma omp parallel num_threads(2) // mark: tasks
        #pragma omp single
        for (int i = 0; i < 8; i++) {
            #pragma omp task // mark: task
            try {
                fails(0.004);
            } catch (const std::exception &) {
            }
        }
    }
    truth("work", sum_of(work, 2));
    truth("tasks@task", 120);
    truth("instances@loop", 15);
    truth("elapsed", now() - begin);
    return caught != 120;
}
