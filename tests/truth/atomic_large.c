// @compilers: gcc — clang makes no call of the runtime for it
// An atomic construct that the processor has no instruction for, beside one that it has, and
// reductions of several variables, which take a lock too.
#include "truth.h"

int main(void)
{
    double begin = now(), sum = 0, count = 0;
    long double large = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum, count) // mark: region
    for (int i = 0; i < 20; i++) {
        static double plain;
        sum += burn(0.004);
        count += 1;
        #pragma omp atomic // mark: atomic
        large += 1.0L;
        #pragma omp atomic
        plain += 1;
    }
    truth("work@region", sum);
    truth("instances@region", 1);
    truth("elapsed", now() - begin);
    return large == 40 && count == 40 ? 0 : 1;
}
