// @compilers: gcc — clang 19 makes no code for scope
// A scope construct, an inclusive scan and a loop that is bound to a team.
#include "truth.h"

static double in[64], out[64];
static own_t scope[2], scanned[2], looped[4];

int main(void)
{
    double begin = now();
    for (int step = 0; step < 10; step++) {
        double sum = 0, total = 0;
        #pragma omp parallel num_threads(2) // mark: region
        {
            int me = omp_get_thread_num();
            #pragma omp scope reduction(+ : total) // mark: scope
            {
                total += 1;
                scope[me].seconds += burn(0.006);
            }
            #pragma omp for reduction(inscan, + : sum) // mark: scan
            for (int i = 0; i < 8; i++) {
                scanned[me].seconds += burn(0.001);
                sum += in[i] + 1;
                #pragma omp scan inclusive(sum)
                out[i] = sum;
            }
            #pragma omp loop bind(parallel) // mark: loop
            for (int i = 0; i < 4; i++)
                looped[i].seconds += burn(0.003);
        }
        if (out[7] != 8 || total != 2)
            return 1;
    }
    truth("work@region", sum_of(scope, 2) + sum_of(scanned, 2) + sum_of(looped, 4));
    truth("instances@region", 10);
    truth("elapsed", now() - begin);
}
