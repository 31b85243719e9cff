// Nothing is wrong: a process and its child take turns at the lock of one file.
#include "../hang.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>

int main(void) {
    char path[] = "/tmp/omphalos-lock-XXXXXX";
    close(mkstemp(path));
    int own = fork() == 0;
    if (own) prctl(PR_SET_PDEATHSIG, SIGKILL);
    int file = open(path, O_RDWR);
    if (!own) ready();
    #pragma omp parallel num_threads(2)
    for (;;) {
        #pragma omp single
        {
            flock(file, LOCK_EX);
            usleep(700000);
            flock(file, LOCK_UN);
            usleep(1000);
        }
    }
}
