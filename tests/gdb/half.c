/* A thread that computes in a critical section without a name, one that waits for it, one that
 * reads. */
#include <omp.h>
#include <unistd.h>

static volatile int held, turns;

int main(void)
{
    int ends[2];
    alarm(240);
    if (pipe(ends)) {
        return 1;
    }
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        char byte;
        if (me == 1) {
#pragma omp critical
            {
                held = 1;
                for (;;) {
                    turns++; /* computes */
                }
            }
        } else if (me == 2) {
            held += read(ends[0], &byte, 1) == 1; /* reads */
        } else {
            while (!held) {
            }
#pragma omp critical /* waits */
            held = 2;
        }
    }
    return 0;
}
