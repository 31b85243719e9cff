// A loop with dependences between iterations: each waits for the one before.
#include "truth.h"

int main(void)
{
    double begin = now(), work = 0;
    #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
    {
        #pragma omp for ordered(1) schedule(static, 1) // mark: loop
        for (int i = 0; i < 80; i++) {
            work += burn(0.002);
            #pragma omp ordered depend(sink : i - 1)
            work += burn(0.008);
            #pragma omp ordered depend(source)
        }
    }
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
