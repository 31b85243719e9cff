// A process and its child take the locks of two files, each in its own order.
#include "../hang.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <signal.h>

static int files[2];

int main(void) {
    char paths[2][40] = {"/tmp/omphalos-lock-XXXXXX", "/tmp/omphalos-lock-XXXXXX"};
    int to_child[2], to_parent[2];
    for (int at = 0; at < 2; at++) close(mkstemp(paths[at]));
    if (pipe(to_child) || pipe(to_parent)) return 1;
    int own = fork() == 0;
    if (own) prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int at = 0; at < 2; at++) files[at] = open(paths[at], O_RDWR);
    int reads = own ? to_child[0] : to_parent[0], writes = own ? to_parent[1] : to_child[1];
    char byte;
    #pragma omp parallel num_threads(2)
    {
        #pragma omp single
        {
            flock(files[own], LOCK_EX);
            // Each goes on when the other one has its first lock, too.
            if (write(writes, "f", 1) != 1 || read(reads, &byte, 1) != 1) _exit(1);
            if (!own) {
                for (int at = 0; at < 2; at++) unlink(paths[at]);
                ready();
            }
            flock(files[1 - own], LOCK_EX);
        }
    }
    return 0;
}
