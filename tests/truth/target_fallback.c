// healthy
// A target region that the host executes, with a team inside of it.
#include "truth.h"

int main(void)
{
    double begin = now(), work = 0, alone = 0;
    for (int step = 0; step < 15; step++) {
        double sum = 0, own = 0;
        #pragma omp target map(tofrom : sum, own) // mark: target
        {
            own += burn(0.002);
            #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: region
            sum += burn(0.020);
        }
        work += sum;
        alone += own;
    }
    truth("work@region", work);
    truth("instances@region", 15);
    truth("elapsed", now() - begin);
}
