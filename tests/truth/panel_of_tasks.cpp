// A factorisation in blocks: the task of each step's panel takes twenty times as long as those that
// wait for it.
#include "truth.h"

enum { STEPS = 12, BLOCKS = 4 };

static double cell[STEPS + 1][BLOCKS + 1];

int main()
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    for (int k = 0; k < STEPS; k++) {
        #pragma omp task depend(inout : cell[k][0]) depend(in : cell[k][BLOCKS]) // disease: long-task
        cell[k][0] = burn_ran(0.05);
        for (int j = 1; j < BLOCKS; j++) {
            #pragma omp task depend(in : cell[k][0]) depend(inout : cell[k][j])
            cell[k][j] = burn_ran(0.0025);
        }
        #pragma omp task depend(in : cell[k][1], cell[k][2], cell[k][3]) \
            depend(out : cell[k + 1][BLOCKS])
        cell[k + 1][BLOCKS] = 1;
    }
    truth("elapsed", now() - begin);
}
