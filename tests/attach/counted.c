// Regions with tasks and a lock, counted by the program: "region WALL_NS" for each that begins.
// Runs until the file in argv[1] is there. Each region creates 8 tasks, and each of its two threads
// takes the lock three times.

#include <omp.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define NOTES 2000000

static long notes[NOTES];
static int count;
static omp_lock_t lock;
static long taken;
static volatile double results[16];

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void compute(int rounds) {
    double sum = 0;
    for (int i = 0; i < rounds; i++) sum += i * 1e-9;
    results[omp_get_thread_num()] = sum;
}

static void region(void) {
    notes[count++] = now();
#pragma omp parallel num_threads(2) // counted
    {
        compute(100000);
        for (int i = 0; i < 3; i++) {
            omp_set_lock(&lock);
            taken++;
            omp_unset_lock(&lock);
        }
#pragma omp single
        for (int i = 0; i < 8; i++) {
#pragma omp task
            compute(5000);
        }
    }
}

int main(int argc, char **argv) {
    omp_init_lock(&lock);
    puts("ready");
    fflush(stdout);
    while (argc > 1 && count < NOTES && access(argv[1], F_OK)) region();
    if (taken != 6L * count) return 1;
    for (int i = 0; i < count; i++) printf("region %ld\n", notes[i]);
    return 0;
}
