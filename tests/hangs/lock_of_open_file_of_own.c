// A part of a file is wanted by one descriptor of the process and held by another one: the lock
// belongs to the file as it was opened. What the wanting one and its copy hold is not in its way.
// @kind: system-call
// @says: its lock held by this process, by file descriptor 77
// @never: shares
// @debuggers alive
#define _GNU_SOURCE
#include "hang.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int lock_part(int file, int from, int kind) {
    struct flock part = {.l_type = kind, .l_whence = SEEK_SET, .l_start = from, .l_len = 10};
    return fcntl(file, F_OFD_SETLKW, &part) + 1; // <A>
}

int main(void) {
    char path[] = "/tmp/omphalos-lock-XXXXXX";
    int sum = 0, wants = mkstemp(path), copy = dup(wants), other = open(path, O_RDWR), held = 77;
    if (copy < 0 || dup2(other, held) != held || close(other)) return 1;
    // The file lasts as long as its descriptors.
    if (unlink(path)) return 1;
    if (!lock_part(wants, 100, F_RDLCK) || !lock_part(held, 105, F_RDLCK)) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += lock_part(wants, 100, F_WRLCK);
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
