// A thread waits by the kernel's own call for a word that nobody changes.
// @kind: system-call
// @says: the word 'door'
// @debuggers
#include "hang.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static unsigned door;

__attribute__((noinline)) static void pass(void) {
    while (!__atomic_load_n(&door, __ATOMIC_ACQUIRE))
        syscall(SYS_futex, &door, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); // <A>
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0) pass();
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
