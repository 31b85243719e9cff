// The last of three results comes without a signal: the consumer sleeps, though what it waits for
// is there.
// @kind: condition-not-signalled
// @says: would end now: what it waits for is there already
// @stock: condition-not-signalled
// @also: -O0
#include "hang.h"

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t come = PTHREAD_COND_INITIALIZER;
static double results[8];
static int count;

static void put(double result) {
    pthread_mutex_lock(&guard);
    results[count++] = result;
    if (count < 3) pthread_cond_signal(&come);
    pthread_mutex_unlock(&guard);
}

static double take_all(int wanted) {
    double sum = 0;
    pthread_mutex_lock(&guard);
    while (count < wanted) pthread_cond_wait(&come, &guard); // <A>
    for (int at = 0; at < wanted; at++) sum += results[at];
    pthread_mutex_unlock(&guard);
    return sum;
}

int main(void) {
    double sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0) {
            sum += take_all(3);
        } else {
            for (int at = 0; at < 3; at++) {
                pause_a_little();
                put(at);
            }
        }
    }
    return sum > 100;
}
