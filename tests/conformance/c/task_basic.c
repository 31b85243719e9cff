/* task: all are done at the barrier at the latest, each once. */
#include "check.h"

int main(void)
{
    int done[1000] = {0}, n = check_threads();
#pragma omp parallel
    {
#pragma omp single nowait
        for (int i = 0; i < 1000; i++) {
#pragma omp task firstprivate(i) shared(done)
            {
#pragma omp atomic
                done[i]++;
            }
        }
#pragma omp barrier
        int wrong = 0;
        for (int i = 0; i < 1000; i++)
            wrong += done[i] != 1;
        CHECK_EQ(wrong, 0);
    }
    long all = 0;
#pragma omp parallel
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(all)
#pragma omp atomic
        all++;
    }
    CHECK_EQ(all, 100l * n);
    return check_done();
}
