// Two regions, of 70 and 30 % of each thread's processor time, until the file in argv[1] is there.
// Each thread notes its own clock; at the end it tells all: "clock TID WALL_NS CPU_NS".

#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_thread_num() 0
#endif
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS 64
#define NOTES 200000

static struct { long wall, cpu; } notes[THREADS][NOTES];
static int counts[THREADS];
static long tids[THREADS];
static volatile double results[THREADS][16];

static long clock_of(clockid_t which) {
    struct timespec time;
    clock_gettime(which, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

// Computes for so long by its thread's own clock.
static __attribute__((noinline)) void compute(long ns) {
    int me = omp_get_thread_num();
    long end = clock_of(CLOCK_THREAD_CPUTIME_ID) + ns;
    double sum = 0;
    do {
        for (int i = 0; i < 20000; i++) sum += i * 1e-9;
    } while (clock_of(CLOCK_THREAD_CPUTIME_ID) < end);
    results[me][0] = sum;
    tids[me] = syscall(SYS_gettid);
    if (counts[me] < NOTES) {
        notes[me][counts[me]].wall = clock_of(CLOCK_REALTIME);
        notes[me][counts[me]++].cpu = clock_of(CLOCK_THREAD_CPUTIME_ID);
    }
}

static __attribute__((noinline)) int seventy(void) {
#pragma omp parallel // seventy
    compute(7000000);
    return 1;
}

static __attribute__((noinline)) int thirty(void) {
#pragma omp parallel // thirty
    compute(3000000);
    return 1;
}

int main(int argc, char **argv) {
    long rounds = 0;
#ifdef WITH_DATA
    // A file without code, as the data of a language and the segments of MPI are.
    mmap(NULL, 1, PROT_READ, MAP_SHARED, open(__FILE__, O_RDONLY), 0);
#endif
    puts("ready");
    fflush(stdout);
    while (argc > 1 && access(argv[1], F_OK)) rounds += seventy() + thirty();
    for (int me = 0; me < THREADS; me++)
        for (int i = 0; i < counts[me]; i++)
            printf("clock %ld %ld %ld\n", tids[me], notes[me][i].wall, notes[me][i].cpu);
    printf("rounds %ld\n", rounds);
    return 0;
}
