// Built without unwind tables, as flang's code is: frames of all sizes, arguments on the stack,
// recursion, a call through a pointer, an outlined region.
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static volatile double sink;

__attribute__((noinline)) double leaf(double seconds, int many) {
    struct timespec t, u;
    double table[600];
    memset(table, many, sizeof table);
    clock_gettime(CLOCK_MONOTONIC, &t);
    do {
        for (int i = 1; i < 600; i++) table[i] = table[i - 1] * 1.0000001 + 0.1;
        clock_gettime(CLOCK_MONOTONIC, &u);
    } while ((u.tv_sec - t.tv_sec) + (u.tv_nsec - t.tv_nsec) * 1e-9 < seconds);
    return table[599];
}

__attribute__((noinline)) double wide(double s, int a, int b, int c, int d, int e, int f, int g,
                                      int h) {
    double x = leaf(s, a + b + c);
    sink += x;
    return x + d + e + f + g + h;
}

__attribute__((noinline)) double recurse(int depth, double seconds) {
    if (depth == 0) return wide(seconds, 1, 2, 3, 4, 5, 6, 7, 8) + 1;
    double x = recurse(depth - 1, seconds);
    return x * 2 + depth;
}

static double (*volatile pointer)(int, double) = recurse;

__attribute__((noinline)) void inner(double seconds) {
    char room[3000];
    memset(room, 1, sizeof room);
#pragma omp parallel num_threads(2)
    {
        double x = pointer(3, seconds) + room[omp_get_thread_num()];
#pragma omp atomic
        sink += x;
    }
    sink += room[5];
}

__attribute__((noinline)) void outer(int a, int b, int c, int d, int e, int f, int g, int h) {
    double room[30] = {a, b, c, d, e, f, g, h};
    for (int k = 0; k < 25; k++) {
        inner(0.02);
        sink += room[k];
    }
}

int main(void) {
    outer(1, 2, 3, 4, 5, 6, 7, 8);
    sink += 1;
    puts("ok");
    return 0;
}
