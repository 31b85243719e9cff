// Nothing is wrong: loops that read no memory end by a clock, by random numbers, or by what the x87
// unit computes.
// @kind: none
#include <x86intrin.h>
#include "hang.h"

static void __attribute__((noinline)) until(unsigned long long end) {
    while (__rdtsc() < end) {}
}

static long double __attribute__((noinline)) grow(long double from, long double limit) {
    while (from < limit) from *= 1.000000001L;
    return from;
}

static unsigned __attribute__((noinline, target("rdrnd"))) draw(unsigned below) {
    unsigned drawn;
    do __builtin_ia32_rdrand32_step(&drawn);
    while (drawn > below);
    return drawn;
}

int main(void) {
    double sum = 0;
    ready();
    #pragma omp parallel num_threads(3) reduction(+ : sum)
    for (int i = 0; i < 100000; i++) {
        switch (omp_get_thread_num()) {
        case 0: until(__rdtsc() + 10000000000); break;
        case 1: sum += (double)grow(1, 1000000); break;
        default: sum += draw(4);
        }
    }
    return sum > 0;
}
