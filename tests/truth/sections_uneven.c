// Two sections of unequal length, many times.
#include "truth.h"

// Each section goes on when the other one has begun: so no thread executes both.
static int begun;

static double section(int step, double seconds)
{
    double begin = now();
    __atomic_fetch_add(&begun, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) < 2 * (step + 1))
        ;
    burn(seconds);
    return now() - begin;
}

int main(void)
{
    double begin = now(), longer = 0, shorter = 0, elapsed = 0;
    for (int step = 0; step < 30; step++) {
        double enter = now();
        #pragma omp parallel num_threads(2) // mark: region, disease: imbalance
        {
            #pragma omp sections // mark: sections
            {
                #pragma omp section
                longer += section(step, 0.020);
                #pragma omp section
                shorter += section(step, 0.004);
            }
        }
        elapsed += now() - enter;
    }
    truth("work@region", longer + shorter);
    truth("imbalance@region", longer - shorter);
    truth("region@region", elapsed);
    truth("wait@sections", longer - shorter);
    truth("instances@sections", 30);
    truth("elapsed", now() - begin);
}
