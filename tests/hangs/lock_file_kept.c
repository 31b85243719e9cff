// A member waits in a critical section until nobody has a lock file any more, and nobody removes
// the file. The file does not tell who made it.
// @kind: asks-again
// @says: from outside
// @alone
// @stock: asks-again
#include "hang.h"
#include <fcntl.h>
#include <stdlib.h>

int main(void) {
    char folder[] = "/tmp/lockXXXXXX", path[64];
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/results.lock", folder);
    close(open(path, O_CREAT | O_EXCL | O_WRONLY, 0600));
    ready();
    #pragma omp parallel num_threads(3)
    {
        #pragma omp critical // <B>
        {
            while (access(path, F_OK) == 0) usleep(20000); // <A>
            close(open(path, O_CREAT | O_EXCL | O_WRONLY, 0600));
        }
    }
    return 0;
}
