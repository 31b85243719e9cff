// Two members lock two files, each the other one first.
// @kind: system-call
// @says: each for the lock of a file that this process has by another descriptor
// @alone
#include "hang.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>

static char paths[2][32] = {"/tmp/omphalos-lock-XXXXXX", "/tmp/omphalos-lock-XXXXXX"};
static int files[2][2];

static int lock_it(int file) {
    return flock(file, LOCK_EX); // <A>
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        files[0][i] = mkstemp(paths[i]);
        files[1][i] = open(paths[i], O_RDWR);
        unlink(paths[i]);
    }
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        int member = omp_get_thread_num();
        sum += lock_it(files[member][member]);
        #pragma omp barrier
        sum += lock_it(files[member][1 - member]); // <B>
    }
    return sum;
}
