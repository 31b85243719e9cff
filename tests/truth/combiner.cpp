// A reduction of a class whose combiner is slow: it runs under the reduction's lock.
#include "truth.h"

struct Sum {
    double value = 0;
    double combined = 0;
    void operator+=(const Sum &other)
    {
        value += other.value;
        combined += other.combined + burn(0.004);
    }
};

#pragma omp declare reduction(add : Sum : omp_out += omp_in)

int main()
{
    double begin = now(), work = 0, combined = 0;
    for (int step = 0; step < 25; step++) {
        Sum sum;
        #pragma omp parallel for schedule(static, 1) num_threads(2) reduction(add : sum) // mark: loop
        for (int i = 0; i < 4; i++)
            sum.value += burn(0.005);
        work += sum.value;
        combined += sum.combined;
    }
    truth("work@loop", work + combined);
    truth("instances@loop", 25);
    truth("elapsed", now() - begin);
}
