/* taskloop reduction and firstprivate. */
#include "check.h"

int main(void)
{
    long sum = 5;
    double product = 1;
    int base = 2;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop reduction(+ : sum) reduction(* : product) firstprivate(base) grainsize(4)
        for (int i = 0; i < 100; i++) {
            sum += i * base;
            if (i < 10)
                product *= 2;
        }
    }
    CHECK_EQ(sum, 9905);
    CHECK(product == 1024);
    return check_done();
}
