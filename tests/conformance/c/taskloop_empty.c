/* taskloop without iterations: its reductions give the original values, and nothing is executed. */
#include "check.h"

int none;

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
        int sum = 3, product = 5, executed = 0;
#pragma omp taskloop reduction(+ : sum) reduction(* : product)
        for (int i = 0; i < none; i++) {
            sum++;
            product *= 2;
#pragma omp atomic
            executed++;
        }
        CHECK_EQ(sum, 3);
        CHECK_EQ(product, 5);
        CHECK_EQ(executed, 0);
    }
    return check_done();
}
