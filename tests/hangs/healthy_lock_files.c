// Nothing is wrong: one member waits for a lock file whose process lives, another one takes turns
// with a process by a lock file, and a third one waits for a file that the process makes at last.
// @kind: none
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include "hang.h"

static char kept[64], taken[64], result[64];

static int made(const char *path) { return open(path, O_CREAT | O_EXCL | O_WRONLY, 0600); }

static void take_turns(void) {
    for (int turn = 0; turn < 20000; turn++) {
        int file;
        while ((file = made(taken)) < 0) usleep(2000);
        usleep(5000);
        close(file);
        unlink(taken);
    }
}

int main(void) {
    char folder[] = "/tmp/locksXXXXXX";
    if (!mkdtemp(folder)) return 1;
    snprintf(kept, sizeof kept, "%s/kept", folder);
    snprintf(taken, sizeof taken, "%s/taken", folder);
    snprintf(result, sizeof result, "%s/result", folder);
    pid_t other = fork();
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        take_turns();
        _exit(0);
    }
    dprintf(made(kept), "%d\n", (int)other);
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 0) take_turns();
        if (omp_get_thread_num() == 1)
            while (access(kept, F_OK) == 0) usleep(10000);
        if (omp_get_thread_num() == 2)
            while (access(result, F_OK) != 0) usleep(10000);
    }
    return 0;
}
