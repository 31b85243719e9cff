// Two members open two FIFOs in opposite order: each waits until somebody opens the other end of
// its first one, which the other member does only behind its own wait.
// @kind: cycle
// @says: each may open what the other one waits for only behind that wait
// @alone
// @stock: cycle
// @also: -O0
#include "hang.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

int main(void) {
    char folder[] = "/tmp/fifosXXXXXX", requests[64], answers[64];
    if (!mkdtemp(folder)) return 1;
    snprintf(requests, sizeof requests, "%s/requests", folder);
    snprintf(answers, sizeof answers, "%s/answers", folder);
    mkfifo(requests, 0600);
    mkfifo(answers, 0600);
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            int to = open(requests, O_WRONLY); // <A>
            int from = open(answers, O_RDONLY);
            close(from);
            close(to);
        }
        if (omp_get_thread_num() == 2) {
            int to = open(answers, O_WRONLY); // <B>
            int from = open(requests, O_RDONLY);
            close(from);
            close(to);
        }
        #pragma omp barrier
    }
    return 0;
}
