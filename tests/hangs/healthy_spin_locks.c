// Threads spin for two of POSIX's spin locks, always in the same order, most of the time.
// @kind: none
#include "hang.h"

static pthread_spinlock_t first, second;
static volatile long sum;

static void __attribute__((noinline)) both(void) {
    pthread_spin_lock(&first);
    sum++;
    pthread_spin_lock(&second);
    sum++;
    pthread_spin_unlock(&second);
    pthread_spin_unlock(&first);
}

static void __attribute__((noinline)) other(void) {
    pthread_spin_lock(&second);
    for (int more = 0; more < 1000; more++) sum++;
    pthread_spin_unlock(&second);
}

int main(void) {
    pthread_spin_init(&first, 0);
    pthread_spin_init(&second, 0);
    ready();
    #pragma omp parallel num_threads(3)
    for (;;) omp_get_thread_num() == 1 ? other() : both();
}
