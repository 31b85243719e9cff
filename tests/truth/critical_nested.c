// @env: OMP_MAX_ACTIVE_LEVELS=2
// A critical that the teams of nested regions fight for; the outer region has one thread.
#include "truth.h"

int main(void)
{
    double begin = now(), inside = 0, outside = 0, waited = 0;
    #pragma omp parallel num_threads(1) // mark: outer
    for (int step = 0; step < 5; step++) {
        #pragma omp parallel num_threads(2) reduction(+ : outside, waited) // mark: inner
        for (int i = 0; i < 20; i++) {
            outside += burn(0.0005);
            double from = now();
            #pragma omp critical(hot) // disease: hot-mutex, mark: hot
            {
                waited += now() - from;
                inside += burn(0.003);
            }
        }
    }
    truth("held@hot", inside);
    truth("lock_wait@hot", waited);
    truth("acquisitions@hot", 200);
    truth("work@inner", inside + outside);
    truth("instances@inner", 5);
    truth("elapsed", now() - begin);
}
