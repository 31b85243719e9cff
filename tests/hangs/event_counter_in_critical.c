// A member waits for an event within a critical section that the one who would tell it wants.
// @kind: system-call
// @says: may come to event_counter_in_critical.c:14 once it goes on
// @also: -O0
#include <stdint.h>
#include <sys/eventfd.h>
#include "hang.h"

static int event;

static void __attribute__((noinline)) tell(void) {
    uint64_t one = 1;
    #pragma omp critical(queue) // <B>
    if (write(event, &one, sizeof one) < 0) perror("write");
}

static void __attribute__((noinline)) wait_for_it(void) {
    uint64_t count;
    #pragma omp critical(queue)
    if (read(event, &count, sizeof count) < 0) perror("read"); // <A>
}

int main(void) {
    event = eventfd(0, 0);
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            wait_for_it();
        } else {
            pause_a_little();
            tell();
        }
    }
    return 0;
}
