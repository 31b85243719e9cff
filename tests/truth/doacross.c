// A loop with dependences between iterations: each waits for the one before.
#include "truth.h"

int main(void)
{
    double begin = now(), work = 0, waited = 0;
    #pragma omp parallel num_threads(2) reduction(+ : work, waited) // mark: region
    {
        #pragma omp for ordered(1) schedule(static, 1) // mark: loop
        for (int i = 0; i < 80; i++) {
            work += burn(0.002);
            double asked = now();
            #pragma omp ordered depend(sink : i - 1) // mark: sink, disease: hot-mutex
            waited += now() - asked;
            work += burn(0.008);
            #pragma omp ordered depend(source)
        }
    }
    truth("work@region", work);
    truth("mutex_wait@region", waited);
    truth("lock_wait@sink", waited);
    truth("elapsed", now() - begin);
}
