// A wavefront in two dimensions: iterations wait for the one above and the one to the left.
#include "truth.h"

int main(void)
{
    double begin = now(), work = 0;
    #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
    {
        #pragma omp for ordered(2) schedule(static, 1) // mark: loop
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 10; j++) {
                #pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1) // mark: sink
                work += burn(0.008);
                #pragma omp ordered depend(source)
            }
    }
    truth("work@region", work);
    truth("instances@loop", 1);
    truth("elapsed", now() - begin);
}
