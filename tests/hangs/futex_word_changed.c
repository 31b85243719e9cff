// An event of the program's own is set, and nobody wakes who sleeps until it is.
// @kind: system-call
// @says: whose value is 1 and no longer the 0 for which the thread fell asleep
#define _GNU_SOURCE
#include "hang.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>

static struct {
    int rounds;
    atomic_uint set;
} event;

static atomic_int sleeper;

__attribute__((noinline)) static void wait_for_event(void) {
    atomic_store(&sleeper, gettid());
    while (!atomic_load(&event.set))
        syscall(SYS_futex, &event.set, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0); // <A>
}

// Whether that thread is in the kernel's call, and so asleep.
static int is_asleep(void) {
    char path[64];
    int call = -1;
    snprintf(path, sizeof path, "/proc/self/task/%d/syscall", atomic_load(&sleeper));
    FILE *file = fopen(path, "r");
    if (file == NULL) return 0;
    int is_call = fscanf(file, "%d", &call) == 1 && call == SYS_futex;
    fclose(file);
    return is_call;
}

int main(void) {
    int sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0) {
            wait_for_event();
        } else {
            while (!is_asleep()) usleep(1000);
            atomic_store(&event.set, 1); // <B>
            // A look before that would make the call begin again, and find the value.
            ready();
        }
        #pragma omp barrier
        sum++;
    }
    return sum;
}
