// The wake-up comes before the sleep, and is thrown away: nobody writes to the eventfd again.
// @kind: system-call
#include "hang.h"

#include <stdint.h>
#include <sys/eventfd.h>

static int event;

static uint64_t __attribute__((noinline)) sleep_for_it(void) {
    uint64_t count = 0;
    if (read(event, &count, sizeof count) < 0) return 0; // the one that came too early
    if (read(event, &count, sizeof count) < 0) return 1; // <A>
    return count;
}

int main(void) {
    int sum = 0;
    uint64_t one = 1;
    event = eventfd(0, 0);
    if (write(event, &one, sizeof one) < 0) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += (int)sleep_for_it();
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
