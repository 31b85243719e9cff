// A lock of the C library's streams and a critical section in a cycle. In the code, the other
// branch's section stands between the taking of the stream and the wait.
// @kind: lock-cycle
// @says: (perhaps taken at stdio_lock.c:13)
#include "hang.h"

int main(void) {
    FILE *stream = stderr;
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            flockfile(stream);
            wait_for_all(2);
            #pragma omp critical // <A>
            fputs("zero", stream);
            funlockfile(stream);
        } else {
            #pragma omp critical
            {
                wait_for_all(2);
                flockfile(stream); // <B>
                funlockfile(stream);
            }
        }
    }
    return 0;
}
