// A member polls a pipe for data, and nobody can write to the pipe any more: poll returns at once,
// again and again, and says POLLHUP, which the loop does not look at.
// @kind: asks-again
// @says: which is empty, and which nobody can write to any more
// @alone
// @stock: asks-again
// @also: -O0
#include "hang.h"
#include <poll.h>

int main(void) {
    int ends[2];
    if (pipe(ends)) return 1;
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) close(ends[1]);
        if (omp_get_thread_num() == 1) {
            struct pollfd one = {.fd = ends[0], .events = POLLIN};
            while (!(one.revents & POLLIN)) poll(&one, 1, 1000); // <A>
        }
        #pragma omp barrier // <B>
        if (omp_get_thread_num() == 2) puts("");
    }
    return 0;
}
