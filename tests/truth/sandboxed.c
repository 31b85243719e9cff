// From some moment on no file can be opened: the system says less of the threads, and they sleep.
#define _GNU_SOURCE
#include "truth.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static own_t slept[2], work[2];

/// Of all threads; where it is refused, nothing changes.
static void open_nothing(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    unsigned flags = SECCOMP_FILTER_FLAG_TSYNC;
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

int main(void)
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: before
    work[omp_get_thread_num()].seconds += burn(0.05);
    open_nothing();
    for (int i = 0; i < 10; i++) {
        #pragma omp parallel num_threads(2) // mark: after, disease: blocked
        {
            int me = omp_get_thread_num();
            double asked = now();
            usleep(40000);
            slept[me].seconds += now() - asked;
            work[me].seconds += burn(0.01);
        }
    }
    truth("blocked.usleep", sum_of(slept, 2));
    truth("blocked", sum_of(slept, 2));
    truth("work", sum_of(work, 2));
    truth("elapsed", now() - begin);
}
