// A member opens a FIFO to write, and nobody opens it to read.
// @kind: system-call
// @says: /results', a FIFO that nobody has opened to read
// @also: -O0
#include "hang.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
int main(void) {
    char folder[] = "/tmp/fifoXXXXXX", path[64];
    mkdtemp(folder);
    snprintf(path, sizeof path, "%s/results", folder);
    mkfifo(path, 0600);
    ready();
    #pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            int to = open(path, O_WRONLY); // <A>
            close(to);
        }
        #pragma omp barrier // <B>
    }
    return 0;
}
