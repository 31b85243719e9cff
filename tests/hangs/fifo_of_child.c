// A member and a child process open two FIFOs in opposite order, and each waits for the other.
// @kind: system-call
// @says: waits too, to open '/tmp/fifos
// @alone
// @stock: system-call
#include "hang.h"
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>

int main(void) {
    char folder[] = "/tmp/fifosXXXXXX", requests[64], answers[64];
    if (!mkdtemp(folder)) return 1;
    snprintf(requests, sizeof requests, "%s/requests", folder);
    snprintf(answers, sizeof answers, "%s/answers", folder);
    mkfifo(requests, 0600);
    mkfifo(answers, 0600);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(open(answers, O_WRONLY));
        close(open(requests, O_RDONLY));
        _exit(0);
    }
    ready();
    #pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            int to = open(requests, O_WRONLY); // <A>
            int from = open(answers, O_RDONLY);
            close(from);
            close(to);
        }
        #pragma omp barrier
    }
    return 0;
}
