// The program ends while its threads are in a loop: it has a row, the region's end was not reached.
#include "truth.h"

static double begun[2];

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region
    {
        burn(0.020);
        #pragma omp for schedule(dynamic, 1) // mark: first
        for (int i = 0; i < 4; i++)
            burn(0.010);
        begun[omp_get_thread_num()] = now();
        #pragma omp for schedule(dynamic, 1) // mark: loop
        for (int i = 0; i < 400; i++) {
            burn(0.020);
            if (i == 39) {
                double end = now();
                truth("instances@first", 1);
                truth("iterations@first", 4);
                truth("instances@loop", 1);
                truth("time@loop", end - begun[0] + end - begun[1]);
                truth("ends@region", 0);
                truth("region@region", end - begin);
                exit(0);
            }
        }
    }
    return 0;
}
