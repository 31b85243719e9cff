// An ordered loop with a dynamic schedule: most of each iteration is in the ordered region.
#include "truth.h"

int main(void)
{
    double begin = now(), inside = 0, work = 0, wait = 0;
    #pragma omp parallel num_threads(2) reduction(+ : inside, work, wait) // mark: region
    {
        #pragma omp for ordered schedule(dynamic, 1) // mark: loop
        for (int i = 0; i < 100; i++) {
            work += burn(0.002);
            double asked = now();
            #pragma omp ordered // mark: ordered, disease: hot-mutex
            {
                wait += now() - asked;
                inside += burn(0.007);
            }
        }
    }
    truth("work@region", work + inside);
    truth("mutex_wait@region", wait);
    truth("iterations@loop", 100);
    truth("elapsed", now() - begin);
}
