// Who has locked a file calls what locks it once more, by a descriptor of its own.
// @kind: system-call
// @says: took that lock at file_lock_kept.c:24, and waits for it itself before it gives it back.
// @stock: system-call
// @alone
#include "hang.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>

static char path[] = "/tmp/omphalos-lock-XXXXXX";

__attribute__((noinline)) static int add(int number) {
    int own = open(path, O_RDWR);
    int bad = flock(own, LOCK_EX) != 0; // <A>
    bad += write(own, &number, sizeof number) < 0;
    bad += close(own) != 0;
    return bad;
}

__attribute__((noinline)) static int pack(int file) {
    wait_for_all(2);
    int bad = flock(file, LOCK_EX) != 0; // <B>
    bad += ftruncate(file, 0) != 0;
    bad += add(0);
    bad += flock(file, LOCK_UN) != 0;
    return bad;
}

int main(void) {
    int file = mkstemp(path), sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0) {
            sum += pack(file);
        } else {
            sum += add(1);
            wait_for_all(2);
            pause_a_little();
            sum += add(2);
        }
    }
    unlink(path);
    return sum;
}
