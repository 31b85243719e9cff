// A signal stops a program whose threads are in the middle of straight code.
// @kind: stopped
// @alone
// @also: -O0
#include "hang.h"

#include <signal.h>
#include <sys/syscall.h>

static volatile int work;

int main(void) {
    ready();
    #pragma omp parallel num_threads(3)
    {
        wait_for_all(3);
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSTOP); // <A>
        work++;
    }
    return 0;
}
