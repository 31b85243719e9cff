// One thread ends the program while the other one waits at a barrier: that is where it waited, not
// at the region's end.
#include "truth.h"

static double came;

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region
    {
        #pragma omp barrier // mark: before
        if (omp_get_thread_num() == 1) {
            burn(0.500);
            double end = now();
            truth("instances@before", 1);
            truth("instances@barrier", 1);
            truth("wait@barrier", end - came);
            truth("ends@region", 0);
            truth("region@region", end - begin);
            exit(0);
        }
        came = now();
        #pragma omp barrier // mark: barrier
        burn(0.001);
    }
    return 0;
}
