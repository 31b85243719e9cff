// Three functions that do nothing but touch pages first, and take as 1, 2 and 4: by one thread
// outside of any region, and by two in one. The processor time that each took is printed.
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define APART __attribute__((noinline))

static double used(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static const size_t size = 64 << 20;

#define TOUCH(name)                                                     \
    APART static void name(volatile char *pages) {                      \
        for (size_t at = 0; at < size; at += 4096) pages[at] = 1;       \
    }
TOUCH(once)
TOUCH(twice)
TOUCH(often)

// The processor time in `touch`, over so many rounds of untouched pages.
static double touched(void (*touch)(volatile char *), char *pages, int rounds) {
    double spent = 0;
    for (int i = 0; i < rounds; i++) {
        madvise(pages, size, MADV_DONTNEED);
        double begin = used();
        touch(pages);
        spent += used() - begin;
    }
    return spent;
}

typedef struct {
    double once, twice, often;
} times_t;

static times_t all(int rounds) {
    char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || madvise(pages, size, MADV_NOHUGEPAGE)) exit(3);
    times_t times = {touched(once, pages, rounds), touched(twice, pages, 2 * rounds),
                     touched(often, pages, 4 * rounds)};
    munmap(pages, size);
    return times;
}

int main(void) {
    // The runtime starts here, not in what is measured.
#pragma omp parallel num_threads(2)
    __asm__ volatile("");
    times_t alone = all(10), both[2];
#pragma omp parallel num_threads(2)
    both[omp_get_thread_num()] = all(5);
    printf("once %.9f\ntwice %.9f\noften %.9f\n", alone.once, alone.twice, alone.often);
    printf("region_once %.9f\n", both[0].once + both[1].once);
    printf("region_twice %.9f\n", both[0].twice + both[1].twice);
    printf("region_often %.9f\n", both[0].often + both[1].often);
    return 0;
}
