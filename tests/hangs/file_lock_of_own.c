// A file's lock that the process itself holds, by another descriptor of the file.
// @kind: system-call
// @debuggers alive
// @says: its lock held by this process, by file descriptor
#include "hang.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static int lock_it(int file) {
    return flock(file, LOCK_EX) + 1; // <A>
}

int main(void) {
    char path[] = "/tmp/omphalos-lock-XXXXXX";
    int sum = 0, held = mkstemp(path), other = open(path, O_RDWR);
    // The file lasts as long as its descriptors.
    if (unlink(path) || other < 0 || flock(held, LOCK_EX)) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += lock_it(other);
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
