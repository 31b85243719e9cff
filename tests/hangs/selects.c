// A member selects on a pipe whose other end is the program's own, and who would write there waits
// for that member.
// @kind: system-call
// @says: , and none of its threads goes on that could end that
// @stock: system-call
// @alone
#include <sys/select.h>
#include "hang.h"

int main(void) {
    int ends[2];
    if (pipe(ends)) return 1;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) select(ends[0] + 1, &set, NULL, NULL, NULL); // <A>
        #pragma omp barrier // <B>
        if (omp_get_thread_num() == 0 && write(ends[1], "x", 1) < 0) puts("");
    }
    return 0;
}
