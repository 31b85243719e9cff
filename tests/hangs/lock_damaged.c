// A lock whose memory was written over: it names a holder that never was.
// @kind: lock-damaged
// @says: the lock 'lock'
// @debuggers
// @alone
#include "hang.h"

#include <string.h>

static omp_lock_t lock;

int main(void) {
    int sum = 0;
    omp_init_lock(&lock);
    memset(&lock, 0x5a, sizeof lock);
    ready();
    #pragma omp parallel num_threads(2)
    {
        omp_set_lock(&lock); // <A>
        sum++;
        omp_unset_lock(&lock);
    }
    return sum;
}
