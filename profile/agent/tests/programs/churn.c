// Threads that come and go, each with regions of its own, while objects are loaded and unloaded,
// and code without any unwind information.
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// No CFI, a large buffer, the old stack pointer in a register: like an assembly kernel.
void kernel(long rounds);
__asm__(".text\n"
        ".globl kernel\n"
        ".type kernel,@function\n"
        "kernel:\n"
        "  sub $48, %rsp\n"
        "  mov %rbx, (%rsp)\n"
        "  mov %rsp, %rbx\n"
        "  sub $20000, %rsp\n"
        "  and $-4096, %rsp\n"
        "1: dec %rdi\n"
        "  jnz 1b\n"
        "  mov %rbx, %rsp\n"
        "  mov (%rsp), %rbx\n"
        "  add $48, %rsp\n"
        "  ret\n"
        ".size kernel, .-kernel\n");

__attribute__((noinline)) void calls_kernel(void) {
    for (int i = 0; i < 20; i++) kernel(3000000);
    __asm__ volatile("");
}

// No CFI either, and its caller's frame pointer is put away.
void pushing(long rounds);
__asm__(".text\n"
        ".globl pushing\n"
        ".type pushing,@function\n"
        "pushing:\n"
        "  sub $48, %rsp\n"
        "  mov %rbx, (%rsp)\n"
        "  mov %rbp, 8(%rsp)\n"
        "  mov %r12, 16(%rsp)\n"
        "  mov %rsp, %r12\n"
        "1: mov %rdi, %rbp\n"
        "  dec %rdi\n"
        "  jnz 1b\n"
        "  mov 16(%rsp), %r12\n"
        "  mov 8(%rsp), %rbp\n"
        "  mov (%rsp), %rbx\n"
        "  add $48, %rsp\n"
        "  ret\n"
        ".size pushing, .-pushing\n");

// Memory of a size that is not known: its frame hangs on the frame pointer.
__attribute__((noinline)) void calls_pushing(long size) {
    char room[size];
    __asm__ volatile("" : : "r"(room) : "memory");
    for (int i = 0; i < 20; i++) pushing(3000000);
    __asm__ volatile("" : : "r"(room) : "memory");
}

static volatile int stop;
static void *loader(void *path) {
    int count = 0;
    while (!stop) {
        void *library = dlopen(path, RTLD_NOW);
        if (library == NULL) exit(5);
        int (*spin)(int) = (int (*)(int))dlsym(library, "spin");
        if (spin(20000) != 20000) exit(6);
        if (dlclose(library) != 0) exit(7);
        count++;
    }
    return count > 0 ? NULL : (void *)1;
}

static void *worker(void *number) {
    for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(2)
        for (volatile int k = 0; k < 20000; k++) {
        }
    }
    return number;
}

int main(int argc, char **argv) {
    // The runtime starts before there is more than one thread.
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    pthread_t loading;
    pthread_create(&loading, NULL, loader, argv[1]);
    for (int round = 0; round < 20; round++) {
        pthread_t threads[4];
        for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
        for (long i = 0; i < 4; i++) {
            void *result;
            if (pthread_join(threads[i], &result) != 0 || result != (void *)i) return 8;
        }
    }
    stop = 1;
    void *result;
    pthread_join(loading, &result);
    calls_kernel();
    calls_pushing(100 + argc);
    if (result == NULL) puts("ok");
    return result != NULL;
}
