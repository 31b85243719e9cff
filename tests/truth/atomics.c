// disease: contended-variable anywhere
// Threads that contend for one word by atomic constructs: it is work, for no runtime sees it, and
// samples show what the word costs.
#include "truth.h"

static long word, captured[2];
static double largest;

int main(void)
{
    double begin = now(), work = 0;
    for (int step = 0; step < 15; step++) {
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        {
            int me = omp_get_thread_num();
            double from = now();
            for (int i = 0; now() < from + 0.025; i++) {
                #pragma omp atomic
                word++;
                #pragma omp atomic capture
                captured[me] = word += 2;
                #pragma omp atomic write // with seq_cst clang asks the runtime to flush: no work
                largest = i;
            }
            work += now() - from;
        }
    }
    truth("work@region", work);
    truth("instances@region", 15);
    truth("elapsed", now() - begin);
}
