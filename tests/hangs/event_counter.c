// A member waits for an event of a counter that nobody adds to.
// @kind: system-call
// @says: anon_inode:[eventfd]
// @debuggers alive
#include "hang.h"

#include <sys/eventfd.h>

int main(void) {
    int sum = 0, event = eventfd(0, 0);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        long value = 0;
        if (omp_get_thread_num() == 1) sum += (int)read(event, &value, sizeof value); // <A>
        #pragma omp barrier // <B>
        sum += (int)value;
    }
    return sum;
}
