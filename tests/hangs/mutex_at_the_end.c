// The last that a region's body does is to take a mutex, to which it may leave by a jump.
// @kind: barrier-in-cycle
// @stock: barrier-in-cycle
#include "hang.h"

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int two = 2;

int main(void) {
    pthread_mutex_lock(&guard);
    ready();
    #pragma omp parallel num_threads(two) // <B>
    {
        if (omp_get_thread_num() == 1) pthread_mutex_lock(&guard); // <A>
    }
    return 0;
}
