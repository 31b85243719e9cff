// healthy: each thread writes a cache line of its own, and now and then one that all have.
#include "truth.h"

static struct {
    volatile long count;
    char apart[120];
} own[2];
static long rounds;

int main(void)
{
    double begin = now(), work = 0;
    #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
    {
        int me = omp_get_thread_num();
        double from = now();
        while (now() < from + 0.6) {
            for (int i = 0; i < 20000; i++)
                own[me].count += i & 3;
            #pragma omp atomic
            rounds++;
        }
        work += now() - from;
    }
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
