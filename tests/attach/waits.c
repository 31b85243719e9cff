// One thread works for long, the others wait for it at the region's end; then the program sleeps
// for as long in a poll that nobody answers. Until the file in argv[1] is there.

#include <omp.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile double result;

static __attribute__((noinline)) void compute(void) {
    struct timespec now, end;
    double sum = 0;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    do {
        for (int i = 0; i < 20000; i++) sum += i * 1e-9;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - end.tv_sec) * 1000000000L + now.tv_nsec - end.tv_nsec < 20000000);
    result = sum;
}

int main(int argc, char **argv) {
    int ends[2];
    if (pipe(ends)) return 1;
    puts("ready");
    fflush(stdout);
    while (argc > 1 && access(argv[1], F_OK)) {
        struct timespec begin, end;
        clock_gettime(CLOCK_MONOTONIC, &begin);
#pragma omp parallel // uneven
        {
            if (omp_get_thread_num() == 0) compute();
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        long took = (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000;
        struct pollfd nobody = {ends[0], POLLIN, 0};
        if (poll(&nobody, 1, (int)took + 1) != 0) return 1;
    }
    return 0;
}
