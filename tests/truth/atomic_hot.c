// All threads add to one variable: each waits for the cache line that it is in.
#include "truth.h"

static long sum;

int main(void)
{
    double begin = now(), work = 0;
    #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
    {
        double from = now();
        while (now() < from + 0.6)
            for (int i = 0; i < 1000; i++) {
                #pragma omp atomic
                sum += i; // disease: contended-variable
            }
        work += now() - from;
    }
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
