// Who is to release a semaphore of C++ waits for a lock that its waiter holds.
// @kind: waits-for-ever
// @also: -O0
#include "hang.h"

#include <semaphore>

static std::counting_semaphore<4> full(0);
static omp_lock_t queue;
static volatile int held;

int main() {
    int sum = 0;
    omp_init_lock(&queue);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&queue);
            held = 1;
            full.acquire(); // <A>
            sum++;
            omp_unset_lock(&queue);
        } else {
            while (!held) usleep(1000);
            omp_set_lock(&queue); // <B>
            sum++;
            omp_unset_lock(&queue);
            full.release();
        }
    }
    return sum;
}
