// Computes on stacks that have hardly room for a signal: a coroutine's, and one for signals. Below
// each is a page that nobody may use.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

// A signal's frame takes some 3.4 KB with AVX-512: one fits the first, two the second.
#define COROUTINE 6144
#define SIGNALS 8192
#define PAGE 4096

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

static char *stack(void) {
    int access = PROT_READ | PROT_WRITE, kind = MAP_PRIVATE | MAP_ANONYMOUS;
    char *memory = mmap(NULL, 3 * PAGE, access, kind, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, PAGE, PROT_NONE)) abort();
    return memory + PAGE;
}

static void on_signal(int number) { burn(0.2 * number / number); }

static ucontext_t home, away;
static void coroutine(void) { burn(0.2); }

int main(void) {
    stack_t other = {.ss_sp = stack(), .ss_size = SIGNALS};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
#pragma omp parallel num_threads(2)
    burn(0.01);
    raise(SIGUSR1);
    getcontext(&away);
    away.uc_stack.ss_sp = stack();
    away.uc_stack.ss_size = COROUTINE;
    away.uc_link = &home;
    makecontext(&away, coroutine, 0);
    swapcontext(&home, &away);
    puts("ok");
    return 0;
}
