// Functions that end in a jump, to the call that gives a lock back: no line of that is on a stack.
// @kind: lock-cycle
// @also: -O2
#include "hang.h"

static omp_lock_t a;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void __attribute__((noinline)) credit(void) {
    omp_set_lock(&a);
    wait_for_all(2);
    pthread_mutex_lock(&b); // <A>
    sum++;
    pthread_mutex_unlock(&b);
    omp_unset_lock(&a); // <never>
}

static void __attribute__((noinline)) debit(void) {
    pthread_mutex_lock(&b);
    wait_for_all(2);
    omp_set_lock(&a); // <B>
    sum--;
    omp_unset_lock(&a);
    pthread_mutex_unlock(&b); // <never>
    sum = sum * 3;
}

int main(void) {
    omp_init_lock(&a);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num())
            credit();
        else
            debit();
    }
    return sum;
}
