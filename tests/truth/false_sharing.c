// Neighbours in one cache line: each thread writes an element of its own, and takes the line from
// the other one.
#include "truth.h"

static volatile long counts[2]; // the whole of a line

int main(void)
{
    double begin = now(), work = 0;
    #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
    {
        int me = omp_get_thread_num();
        double from = now();
        while (now() < from + 0.6)
            for (int i = 0; i < 1000; i++)
                counts[me] += i & 3; // mark: shared, disease: false-sharing
        work += now() - from;
    }
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
