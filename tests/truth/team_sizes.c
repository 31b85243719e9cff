// A region that has one thread, then two, then one; and copies of a threadprivate variable.
#include "truth.h"

static double kept;
#pragma omp threadprivate(kept)

int main(void)
{
    double begin = now(), work = 0, elapsed = 0;
    for (int step = 0; step < 30; step++) {
        double from = now();
        #pragma omp parallel num_threads(step % 3 == 1 ? 2 : 1) copyin(kept) reduction(+ : work) // mark: region
        work += kept + burn(0.014);
        elapsed += now() - from;
    }
    truth("work@region", work);
    truth("region@region", elapsed);
    truth("instances@region", 30);
    truth("elapsed", now() - begin);
}
