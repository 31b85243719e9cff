// Busy in every way that a look could disturb: tiny regions, tasks, malloc, short sleeps in calls
// that would return EINTR, forks, libraries that come and go. It holds each result against what it
// must be, until the file in argv[1] is there, and says how often it did. argv[2]: which storm.

#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
    printf("wrong: %s (%s)\n", what, strerror(errno));
    fflush(stdout);
    _exit(1);
}

static void regions(void) {
    long sum = 0;
    for (int i = 0; i < 200; i++) {
#pragma omp parallel for reduction(+ : sum) // tiny
        for (int j = 0; j < 64; j++) sum += j;
    }
    if (sum != 200L * 64 * 63 / 2) fail("regions");
}

static long fibonacci(int n) {
    long left, right;
    if (n < 2) return n;
#pragma omp task shared(left) // fibonacci
    left = fibonacci(n - 1);
#pragma omp task shared(right)
    right = fibonacci(n - 2);
#pragma omp taskwait
    return left + right;
}

static void tasks(void) {
    long result = 0;
#pragma omp parallel
#pragma omp single
    result = fibonacci(14);
    if (result != 377) fail("tasks");
}

static void memory(void) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    for (int i = 0; i < 2000; i++) {
        size_t size = 16 + (size_t)(i * 37) % 4000;
        unsigned char *block = malloc(size);
        memset(block, i, size);
        wrong += block[0] != (unsigned char)i || block[size - 1] != (unsigned char)i;
        free(block);
    }
    if (wrong) fail("memory");
}

static void sleeps(void) {
    int poll = epoll_create1(0), told = 0;
#pragma omp parallel reduction(+ : told)
    for (int i = 0; i < 20; i++) {
        struct epoll_event event;
        struct timespec rest = {0, 200000};
        told += epoll_wait(poll, &event, 1, 1) != 0;
        told += nanosleep(&rest, 0) != 0;
    }
    close(poll);
    if (told) fail("a call was told of a look");
}

static void forks(void) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) _exit(7);
    if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7) fail("fork");
    regions();
}

static void libraries(const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    if (!library) fail(dlerror());
    long (*sum)(void) = (long (*)(void))dlsym(library, "library_sum");
    if (!sum || sum() != 4950) fail("library");
    dlclose(library);
}

int main(int argc, char **argv) {
    long rounds = 0;
    puts("ready");
    fflush(stdout);
    while (argc > 2 && access(argv[1], F_OK)) {
        const char *what = argv[2];
        if (!strcmp(what, "regions")) regions();
        if (!strcmp(what, "tasks")) tasks();
        if (!strcmp(what, "memory")) memory();
        if (!strcmp(what, "sleeps")) sleeps();
        if (!strcmp(what, "forks")) forks();
        if (!strcmp(what, "libraries")) libraries(argv[3]);
        rounds++;
    }
    printf("rounds %ld\n", rounds);
    return 0;
}
