// A writer leaves its loop by a break when its budget is used up, and keeps the lock.
// @kind: barrier-in-cycle
// @says: has a way out at
// @also: -O0
#include "hang.h"

struct account {
    long balance;
    long moves;
};

static struct account accounts[8];
static pthread_rwlock_t accounts_lock = PTHREAD_RWLOCK_INITIALIZER;

__attribute__((noinline)) static long spend(int who, long budget) {
    long spent = 0;
    for (int at = 0; at < 8; at++) {
        pthread_rwlock_wrlock(&accounts_lock); // <A>
        long cost = 3 + at;
        if (spent + cost > budget)
            break; // <B>
        accounts[(who + at) % 8].balance -= cost;
        accounts[(who + at) % 8].moves++;
        spent += cost;
        pthread_rwlock_unlock(&accounts_lock);
    }
    return spent;
}

static long total(void) {
    long sum = 0;
    pthread_rwlock_rdlock(&accounts_lock);
    for (int at = 0; at < 8; at++) sum += accounts[at].balance;
    pthread_rwlock_unlock(&accounts_lock);
    return sum;
}

int main(void) {
    long spent = 0;
    for (int at = 0; at < 8; at++) accounts[at].balance = 100;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : spent)
    {
        int me = omp_get_thread_num();
        if (me == 2) spent += spend(me, 20);
        #pragma omp barrier
        if (me != 2) spent += spend(me, 1000);
        #pragma omp barrier
        if (me == 0) printf("%ld left\n", total());
    }
    return spent == 0;
}
