// A thread waits for a condition in a function that its caller calls with another mutex held: the
// line that took that one is said, and the caller's.
// @kind: condition-not-signalled
// @says: which thread 0 holds (taken at condition_under_mutex.c:23)
// @alone
#include "hang.h"

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER, queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int count;

__attribute__((noinline)) static int take(void) {
    pthread_mutex_lock(&queue);
    while (count == 0) pthread_cond_wait(&filled, &queue);
    int taken = count--;
    pthread_mutex_unlock(&queue);
    return taken;
}

__attribute__((noinline)) static int reader(void) {
    int sum = 0;
    // Held while it waits.
    pthread_mutex_lock(&table);
    wait_for_all(2);
    sum += take(); // <A>
    pthread_mutex_unlock(&table);
    return sum;
}

__attribute__((noinline)) static int writer(void) {
    wait_for_all(2);
    pthread_mutex_lock(&table); // <B>
    count++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&table);
    return count;
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += omp_get_thread_num() ? writer() : reader();
    return sum;
}
