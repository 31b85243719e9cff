/* task firstprivate of large and strongly aligned data: copied at creation. */
#include "check.h"
#include <stdint.h>

struct big {
    int values[4000];
};
struct aligned {
    _Alignas(64) double lanes[8];
};

int main(void)
{
    long sum = 0, misaligned = 0;
    struct big big;
    struct aligned vector;
    char tiny = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < 4000; k++)
            big.values[k] = i;
        for (int k = 0; k < 8; k++)
            vector.lanes[k] = i;
        tiny = (char)i;
#pragma omp task firstprivate(big, vector, tiny, i) shared(sum, misaligned)
        {
            int wrong = tiny != i;
            for (int k = 0; k < 4000; k++)
                wrong += big.values[k] != i;
            for (int k = 0; k < 8; k++)
                wrong += vector.lanes[k] != i;
            CHECK_EQ(wrong, 0);
            if ((uintptr_t)&vector % 64)
#pragma omp atomic
                misaligned++;
#pragma omp atomic
            sum += big.values[3999];
        }
        big.values[0] = -1;
    }
    CHECK_EQ(sum, 4950);
    CHECK_EQ(misaligned, 0);
    return check_done();
}
