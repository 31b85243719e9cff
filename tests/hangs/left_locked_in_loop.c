// A member keeps a mutex and goes to a barrier; the others want the mutex in front of it.
// @kind: barrier-in-cycle
// @stock: barrier-in-cycle
// @says: has a way out at left_locked_in_loop.c:17 on which
// @alone
#include <stdatomic.h>
#include "hang.h"

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static atomic_int kept;
static long total;

__attribute__((noinline)) static int add(int number) {
    pthread_mutex_lock(&guard); // <A>
    total += number;
    kept = 1;
    if (total == 0) return 1;
    pthread_mutex_unlock(&guard);
    return 0;
}

int main(void) {
    int bad = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : bad)
    {
        #pragma omp for schedule(static, 1) nowait
        for (int i = 0; i < 3; i++) {
            while (i > 0 && !kept) usleep(1000);
            bad += add(i);
        }
        #pragma omp barrier // <B>
        bad++;
    }
    return bad;
}
