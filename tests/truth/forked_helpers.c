// One thread of a region forks a helper and waits for it, while the other one works.
#include "truth.h"
#include <sys/wait.h>
#include <unistd.h>

static own_t own[2];

int main(void)
{
    double begin = now(), waited = 0;
    #pragma omp parallel num_threads(2) // mark: region, disease: blocked
    for (int step = 0; step < 8; step++) {
        if (omp_get_thread_num() == 0) {
            double begun = now();
            pid_t child = fork();
            if (child == 0) {
                burn(0.040);
                _exit(0);
            }
            int status;
            double asked = now();
            own[0].seconds += asked - begun;
            waitpid(child, &status, 0);
            waited += now() - asked;
        } else
            own[1].seconds += burn(0.010);
        own[omp_get_thread_num()].seconds += burn(0.005);
        #pragma omp barrier
    }
    truth("work@region", sum_of(own, 2));
    truth("blocked@region", waited);
    truth("elapsed", now() - begin);
}
