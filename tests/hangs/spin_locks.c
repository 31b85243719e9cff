// Two threads spin for POSIX's spin locks, each for the one that the other holds.
// @kind: lock-cycle
// @says: waits for the spin lock 'second', which thread 1 holds (taken at spin_locks.c:21)
// @alone
// @also: -O0
// @debuggers alive
#include "hang.h"

static pthread_spinlock_t first, second;

static int __attribute__((noinline)) zero(void) {
    pthread_spin_lock(&first);
    wait_for_all(2);
    pthread_spin_lock(&second); // <A>
    pthread_spin_unlock(&second);
    pthread_spin_unlock(&first);
    return 0;
}

static int __attribute__((noinline)) one(void) {
    pthread_spin_lock(&second);
    wait_for_all(2);
    pthread_spin_lock(&first); // <B>
    pthread_spin_unlock(&first);
    pthread_spin_unlock(&second);
    return 1;
}

int main(void) {
    int sum = 0;
    pthread_spin_init(&first, 0);
    pthread_spin_init(&second, 0);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num() ? one() : zero();
    return sum;
}
