// A worker keeps a stream's lock when it leaves early; main's last call closes the stream, and is a
// jump as compilers have it.
// @kind: holder-idle
// @says: in main for the lock of a stream
#include "hang.h"

#include <stdlib.h>

__attribute__((noinline)) static int report(FILE *file, int count) {
    flockfile(file);
    for (int i = 0; i < count; i++) {
        if (i == 2) return -1;
        fprintf(file, "%d\n", i);
    }
    funlockfile(file);
    return 0;
}

int main(void) {
    FILE *file = fopen("/dev/null", "w");
    int sum = 0;
    if (!file) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += report(file, 3);
    }
    if (sum == 7) abort();
    return fclose(file); // <A>
}
