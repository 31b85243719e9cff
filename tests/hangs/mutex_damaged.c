// A mutex's memory was written over.
// @kind: lock-damaged
// @says: the pthread mutex 'entry.lock'
// @never: ended
// @also: -O0
#include "hang.h"
#include <string.h>
static struct { char name[8]; pthread_mutex_t lock; } entry = {"", PTHREAD_MUTEX_INITIALIZER};
int main(void) {
    ready();
    memset(entry.name, 'x', 24);
    #pragma omp parallel num_threads(2) // <A>
    {
        #pragma omp single
        pthread_mutex_lock(&entry.lock); // <A>
    }
    return 0;
}
