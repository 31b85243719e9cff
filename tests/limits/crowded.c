// Nothing is wrong with it, and it is run with more threads than there are CPUs.
// sizes: 1,64
// limit: oversubscription
#include "limit.h"

int main(void)
{
    for (int step = 0; step < 10; step++) {
        #pragma omp parallel for schedule(static)
        for (int i = 0; i < 64; i++)
            WORK(200000);
    }
    puts("done");
    return 0;
}
