// The process that took a file's lock is no more: its child has the descriptor, and so the lock.
// @kind: system-call
// @says: ('keeper')
// @never: this process
// @debuggers alive
#include "hang.h"

#include <fcntl.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static int lock_it(int file) {
    return flock(file, LOCK_EX) + 1; // <A>
}

int main(void) {
    char path[] = "/tmp/omphalos-lock-XXXXXX", byte;
    int sum = 0, held[2], file = mkstemp(path);
    if (file < 0 || pipe(held)) return 1;
    pid_t own = getpid(), taker = fork();
    if (taker == 0) {
        int held_file = open(path, O_RDWR);
        flock(held_file, LOCK_EX);
        if (fork() == 0) {
            prctl(PR_SET_NAME, "keeper");
            alarm(240);
            if (write(held[1], "h", 1) < 0) return 1;
            while (!kill(own, 0)) usleep(100000); // until the first one has ended
        }
        _exit(0);
    }
    if (waitpid(taker, 0, 0) < 0 || read(held[0], &byte, 1) != 1) return 1;
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
