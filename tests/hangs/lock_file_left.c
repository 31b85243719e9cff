// A process that has ended left its lock file behind, and a member tries to make that file again
// and again.
// @kind: asks-again
// @says: and no process on this machine has that number
// @never: from outside
// @alone
// @stock: asks-again
// @also: -O0
#include "hang.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>

int main(void) {
    char folder[] = "/tmp/lockXXXXXX", path[64];
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/results.lock", folder);
    pid_t other = fork();
    if (other == 0) {
        dprintf(open(path, O_CREAT | O_EXCL | O_WRONLY, 0600), "%d\n", (int)getpid());
        _exit(0);
    }
    waitpid(other, NULL, 0);
    ready();
    #pragma omp parallel num_threads(3)
    {
        #pragma omp master
        {
            int file;
            while ((file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600)) < 0) // <A>
                usleep(20000);
            close(file);
            unlink(path);
        }
        #pragma omp barrier
    }
    return 0;
}
