// A loop of several instructions that waits for a flag: no two looks need find it at the same one.
// @kind: spins
// @says: That variable is 0 now.
// @also: -O0
// @alone
#include "hang.h"

int main(void) {
    int flag = 0;
    ready();
    #pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num(), seen = 0;
        while (me == 2 && !seen) { // <A>
            #pragma omp atomic read // <A>
            seen = flag; // <A>
        }
        #pragma omp barrier // <B>
        if (me == 0) {
            #pragma omp atomic write
            flag = 1;
        }
    }
    return flag;
}
