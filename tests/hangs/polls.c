// A thread polls a pipe without a limit, and again after each stop: no time of its own ends it.
// @kind: system-call
// @says: poll
// @never: by itself
// @alone
#include <poll.h>
#include "hang.h"

int main(void) {
    int ends[2];
    if (pipe(ends)) return 1;
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        struct pollfd one = {.fd = ends[0], .events = POLLIN};
        poll(&one, 1, -1); // <A>
    }
    return 0;
}
