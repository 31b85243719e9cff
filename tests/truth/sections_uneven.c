// Two sections of unequal length, many times.
#include "truth.h"

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
                longer += burn(0.020);
                #pragma omp section
                shorter += burn(0.004);
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
