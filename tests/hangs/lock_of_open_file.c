// Another process holds the wanted part of a file by a lock that belongs to the open file; this one
// holds another part, and a third process has the file only open.
// @kind: system-call
// @says: ('holder')
// @never: ('other')
// @debuggers alive
#define _GNU_SOURCE
#include "hang.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>

static int lock_part(int file, int from) {
    struct flock part = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = from, .l_len = 10};
    return fcntl(file, F_OFD_SETLKW, &part) + 1; // <A>
}

int main(void) {
    char path[] = "/tmp/omphalos-lock-XXXXXX", byte;
    int sum = 0, file = mkstemp(path), held[2];
    if (file < 0 || pipe(held)) return 1;
    for (int part = 0; part < 3; part++) {
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, 9);
            prctl(PR_SET_NAME, part == 1 ? "holder" : "other");
            alarm(240);
            int own = open(path, O_RDWR);
            if (!lock_part(own, 100 * part) || write(held[1], "h", 1) < 0) return 1;
            for (;;) pause();
        }
        if (read(held[0], &byte, 1) != 1) return 1;
    }
    unlink(path);
    if (!lock_part(file, 150)) return 1;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += lock_part(file, 105);
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
