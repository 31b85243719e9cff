// One member leaves before it writes to the counter that the next one reads.
// @kind: system-call
// @says: The code writes to file descriptors at
#include "hang.h"

#include <stdint.h>
#include <sys/eventfd.h>

static int counters[3];

static int prepare(int member) {
    uint64_t one = 1;
    if (member == 1) return 0;
    return (int)write(counters[member], &one, sizeof one); // <B>
}

static int next(int member) {
    uint64_t count = 0;
    if (read(counters[member], &count, sizeof count) < 0) return 0; // <A>
    return (int)count;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) counters[i] = eventfd(0, 0);
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    {
        sum += prepare(omp_get_thread_num());
        sum += next((omp_get_thread_num() + 1) % 3);
    }
    return sum;
}
