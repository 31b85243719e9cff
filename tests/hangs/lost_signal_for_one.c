// Three threads wait for the start; the start is signalled to one of them.
// @kind: condition-not-signalled
// @says: wakes one thread only
// @also: -O0
#include "hang.h"

static pthread_mutex_t gate_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_opens = PTHREAD_COND_INITIALIZER;
static int is_open, waiting;

static void pass_gate(void) {
    pthread_mutex_lock(&gate_mutex);
    waiting++;
    while (!is_open) pthread_cond_wait(&gate_opens, &gate_mutex); // <A>
    pthread_mutex_unlock(&gate_mutex);
}

static void open_gate(void) {
    pthread_mutex_lock(&gate_mutex);
    is_open = 1;
    pthread_cond_signal(&gate_opens); // <B>
    pthread_mutex_unlock(&gate_mutex);
}

static int count_waiting(void) {
    pthread_mutex_lock(&gate_mutex);
    int count = waiting;
    pthread_mutex_unlock(&gate_mutex);
    return count;
}

static double work(int member) {
    double sum = 0;
    for (int at = 1; at < 100000; at++) sum += 1.0 / (at + member);
    return sum;
}

int main(void) {
    double sum = 0;
    ready();
    #pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        int me = omp_get_thread_num();
        if (me == 0) {
            while (count_waiting() < 3) usleep(10000);
            open_gate();
        } else {
            pass_gate();
        }
        sum += work(me);
        #pragma omp barrier
        sum++;
    }
    printf("%g\n", sum);
    return 0;
}
