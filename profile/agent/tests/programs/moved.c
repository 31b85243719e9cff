// System calls that the program makes by itself, by an instruction of its own, each of several
// ticks: each must move all that it is asked to, and sleep as long. What is wrong is printed, and
// the processor time of those that move.
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline))

static double at(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static double used(void) { return at(CLOCK_THREAD_CPUTIME_ID); }

static const long size = 64 << 20, some = 4 << 20;

static inline long raw(long number, long first, long second, long third) {
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second), "d"(third)
                     : "rcx", "r11", "memory");
    return result;
}

APART static long zeros(char *data, int file) { return raw(SYS_read, file, (long)data, size); }
APART static long randoms(char *data) { return raw(SYS_getrandom, (long)data, some, 0); }
APART static long piped(char *data, int file) { return raw(SYS_write, file, (long)data, size); }
APART static long slept(void) {
    struct timespec time = {0, 2000000};
    return raw(SYS_nanosleep, (long)&time, 0, 0);
}

static int bad;
static double moved;

static void judge(const char *name, long result, long wanted, double begin) {
    moved += used() - begin;
    if (result == wanted) return;
    printf("%s: %ld instead of %ld\n", name, result, wanted);
    bad++;
}

int main(void) {
    int zero = open("/dev/zero", O_RDONLY), ends[2];
    char *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (zero < 0 || data == MAP_FAILED || pipe(ends)) return 3;
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    pid_t child = fork();
    if (!child) {
        close(ends[1]);
        while (raw(SYS_read, ends[0], (long)data, 1 << 16) > 0) {
        }
        raw(SYS_exit_group, 0, 0, 0);
    }
    close(ends[0]);
    for (int round = 0; round < 8; round++) {
        double begin = used();
        judge("zeros", zeros(data, zero), size, begin);
        begin = used();
        judge("randoms", randoms(data), some, begin);
        begin = used();
        judge("piped", piped(data, ends[1]), size, begin);
        for (int times = 0; times < 5; times++) {
            double from = at(CLOCK_MONOTONIC);
            long result = slept();
            double took = at(CLOCK_MONOTONIC) - from;
            judge("slept", result + (took < 0.002), 0, used());
        }
    }
    printf("bad %d\nmoved %.9f\n", bad, moved);
    return 0;
}
