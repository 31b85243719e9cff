// Signals as fast as they come, into a program whose malloc deadlocks when it is entered twice on
// a thread, that throws its stack about and starts many regions.
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);
static __thread volatile int inside __attribute__((tls_model("initial-exec")));

static void enter(void) {
    if (inside) {
        static const char text[] = "malloc entered twice\n";
        if (write(2, text, sizeof text - 1)) _exit(9);
        _exit(9);
    }
    inside = 1;
}

void *malloc(size_t size) {
    enter();
    void *memory = __libc_malloc(size);
    for (volatile int i = 0; i < 100; i++) {
    }
    inside = 0;
    return memory;
}

void free(void *memory) {
    enter();
    __libc_free(memory);
    inside = 0;
}

__attribute__((noinline)) long dig(int depth, char *above) {
    char room[64 + depth * 8];
    memset(room, depth, sizeof room);
    if (depth == 0) {
        char *p = malloc(100);
        p[0] = above[0];
        long x = p[0] + room[5];
        free(p);
        return x;
    }
    return dig(depth - 1, room) + room[3];
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    long sum = 0;
    for (int round = 0; round < 300; round++) {
#pragma omp parallel num_threads(4) reduction(+ : sum)
        {
            int numbers[200];
            for (int i = 0; i < 200; i++) numbers[i] = (i * 7919) % 200;
            qsort(numbers, 200, sizeof *numbers, by_value);
            if (numbers[17] != 17) abort();
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < 40; i++) {
                sum += dig(i, (char *)&i) != -1;
#pragma omp critical
                sum++;
            }
#pragma omp task
            {
                char mine = 1;
                (void)dig(30, &mine);
            }
        }
    }
    printf("%ld\n", sum);
    return 0;
}
