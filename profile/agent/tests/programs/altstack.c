// Samples that find the thread on another stack than its own, and a program that changes its
// folder before its first region.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile double sink;
__attribute__((noinline)) static void burn(double seconds) {
    struct timespec t, u;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double x = 1;
    do {
        for (int i = 0; i < 2000; i++) x = x * 1.0000001 + 0.1;
        clock_gettime(CLOCK_MONOTONIC, &u);
    } while ((u.tv_sec - t.tv_sec) + (u.tv_nsec - t.tv_nsec) * 1e-9 < seconds);
    sink = x;
}

static void on_signal(int number) { burn(0.1 * number / number); }

static ucontext_t home, away;
static void coroutine(void) { burn(0.1); }

int main(void) {
    if (chdir("/") != 0) return 1;
    char *alternate = malloc(1 << 16), *stack = malloc(1 << 16);
    stack_t other = {.ss_sp = alternate, .ss_size = 1 << 16};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
#pragma omp parallel num_threads(2)
    burn(0.05);
    raise(SIGUSR1);
    getcontext(&away);
    away.uc_stack.ss_sp = stack;
    away.uc_stack.ss_size = 1 << 16;
    away.uc_link = &home;
    makecontext(&away, coroutine, 0);
    swapcontext(&home, &away);
    puts("ok");
    return 0;
}
