// Both members read first, and write then.
// @kind: cycle
// @says: wait for each other
// @alone
#include "hang.h"

#include <sys/socket.h>

static int ends[2];

static int exchange(int at, const char *own, char *other) {
    if (read(ends[at], other, 1) != 1) return 0; // <A>
    return (int)write(ends[at], own, 1); // <B>
}

int main(void) {
    int sum = 0;
    char bytes[2] = "ab", got[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        int at = omp_get_thread_num();
        sum += exchange(at, &bytes[at], &got[at]);
    }
    return sum;
}
