// A worker that was ended behind the runtime's back.
// @kind: member-gone
#include "hang.h"

#include <sys/syscall.h>

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum) // <B>
    {
        if (omp_get_thread_num() == 2) syscall(SYS_exit, 0);
        #pragma omp barrier // <A>
        sum++;
    }
    return sum;
}
