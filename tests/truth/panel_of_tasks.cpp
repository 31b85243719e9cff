// A factorisation in blocks: the task of each step's panel takes twenty times as long as those that
// wait for it.
#include "truth.h"

enum { N = 12, M = 4 };

static double cell[N + 1][M + 1];

int main()
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region
    #pragma omp single
    for (int k = 0; k < N; k++) {
        #pragma omp task depend(inout : cell[k][0]) depend(in : cell[k][M]) // disease: long-task
        cell[k][0] = burn_ran(0.05);
        for (int j = 1; j < M; j++) {
            #pragma omp task depend(in : cell[k][0]) depend(inout : cell[k][j])
            cell[k][j] = burn_ran(0.0025);
        }
        #pragma omp task depend(in : cell[k][1], cell[k][2], cell[k][3]) \
            depend(out : cell[k + 1][M])
        cell[k + 1][M] = 1;
    }
    truth("elapsed", now() - begin);
}
