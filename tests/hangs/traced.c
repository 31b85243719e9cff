// Another program traces a member and never lets it go.
// @kind: stopped
// @says: traces
#define _GNU_SOURCE
#include "hang.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Shared with the tracer, which begins when the member is in its loop. */
static volatile struct {
    int working, stopped;
} *both;

static void __attribute__((noinline)) work(void) {
    both->working = 1;
    while (!both->stopped) { // <A>
    }
}

int main(void) {
    int sum = 0, number[2];
    pid_t member;
    char byte = 0;
    if (pipe(number)) return 1;
    both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t tracer = fork();
    if (tracer == 0) {
        alarm(240);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (read(number[0], &member, sizeof member) < 0) return 1;
        while (!both->working) usleep(1000);
        // Somebody else may look at it just now.
        while (ptrace(PTRACE_SEIZE, member, NULL, NULL)) usleep(1000);
        ptrace(PTRACE_INTERRUPT, member, NULL, NULL);
        waitpid(member, NULL, __WALL);
        pause();
        return byte;
    }
    prctl(PR_SET_PTRACER, tracer);
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 1) {
            pid_t own = (pid_t)syscall(SYS_gettid);
            sum += write(number[1], &own, sizeof own) < 0;
            work();
        }
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
