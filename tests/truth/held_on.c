// A lock that one thread takes and another gives back, and one that is held when the program ends.
#include "truth.h"

static omp_lock_t handed, kept;

int main(void)
{
    double begin = now(), taken[2] = {0}, given = 0;
    omp_init_lock(&handed), omp_init_lock(&kept);
    #pragma omp parallel num_threads(2) // mark: region
    {
        if (omp_get_thread_num() == 1) {
            omp_set_lock(&kept); // mark: kept
            taken[1] = now();
        } else {
            omp_set_lock(&handed); // mark: handed
            taken[0] = now();
        }
        burn(0.5);
        #pragma omp barrier
        if (omp_get_thread_num() == 1) {
            omp_unset_lock(&handed);
            given = now();
        }
    }
    burn(0.2);
    truth("contended", 0);
    truth("held@handed", given - taken[0]);
    truth("elapsed", now() - begin);
    truth("held@kept", now() - taken[1]);
}
