// Confines itself between its first region and its second: arguments are the way, and the number of
// the system call that ends the process from there on.
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile double sink;

static void region(int threads) {
#pragma omp parallel num_threads(threads)
    {
        double begin = omp_get_wtime(), x = 1;
        do
            for (int i = 0; i < 2000; i++) x = x * 1.0000001 + 0.1;
        while (omp_get_wtime() - begin < 0.03);
        sink = x;
    }
}

static void confine(const char *way, int number) {
    unsigned answer = strcmp(way, "trap") ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_TRAP;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, answer),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    int refused = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), all = SECCOMP_FILTER_FLAG_TSYNC;
    if (!strcmp(way, "threads"))
        refused |= syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, all, &program);
    else if (!strcmp(way, "own"))
        refused |= syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
    else if (!strcmp(way, "strict"))
        refused |= prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
    else
        refused |= prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    if (refused) abort();
}

int main(int count, char **arguments) {
    const char *way = arguments[1];
    int number = count > 2 ? atoi(arguments[2]) : -1;
    if (!strcmp(way, "strict")) {
        region(1);
        confine(way, number);
        for (int i = 0; i < 200000000; i++) sink = i;
        if (write(1, "alive\n", 6) == 6) syscall(SYS_exit, 0);
    }
    if (!strcmp(way, "exec")) {
        confine(way, number);
        execl("/proc/self/exe", arguments[0], "inner", NULL);
    }
    if (strcmp(way, "first") && strcmp(way, "inner")) region(2);
    if (strcmp(way, "inner")) confine(way, number);
    for (int i = 0; i < 3; i++) region(2);
    return write(1, "alive\n", 6) != 6;
}
