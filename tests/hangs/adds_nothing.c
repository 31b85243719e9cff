// A barrier of the program's own that reads its counter by adding nothing, and counts its looks.
// @kind: spins
// @says: for the variable 'come' to change
// @alone
// @also: -O0
#include "hang.h"

static int come;
static long looks;

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() != 2) __atomic_fetch_add(&come, 1, __ATOMIC_SEQ_CST);
        while (__atomic_fetch_add(&come, 0, __ATOMIC_SEQ_CST) < 3) // <A>
            looks++;                                               // <A>
    }
    return 0;
}
