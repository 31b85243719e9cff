// A thread in vfork is deep in the kernel until its child is another program: no signal and no
// debugger stops it.
// @kind: system-call
// @says: vfork
// @alone
#include "hang.h"

#include <sys/prctl.h>

int main(void) {
    ready();
    #pragma omp parallel num_threads(2) // <A>
    {
        if (omp_get_thread_num() == 1 && vfork() == 0) {
            prctl(PR_SET_PDEATHSIG, 9);
            alarm(240);
            for (;;) pause();
        }
        #pragma omp barrier // <A>
        puts("met");
    }
    return 0;
}
