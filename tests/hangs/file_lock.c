// A file's lock that another process holds.
// @kind: system-call
// @says: held by process
#include "hang.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>

static int lock_it(int file) {
    return flock(file, LOCK_EX) + 1; // <A>
}

int main(void) {
    int sum = 0, held[2];
    char path[] = "/tmp/omphalos-lock-XXXXXX", byte;
    pid_t own = getpid();
    int file = mkstemp(path);
    if (file < 0 || pipe(held)) return 1;
    if (fork() == 0) {
        alarm(240);
        int held_file = open(path, O_RDWR);
        flock(held_file, LOCK_EX);
        if (write(held[1], "h", 1) < 0) return 1;
        while (getppid() == own) usleep(100000); // until the other one has ended
        return 0;
    }
    if (read(held[0], &byte, 1) != 1) return 1;
    unlink(path);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) sum += lock_it(file);
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
