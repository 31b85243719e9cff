/* What the machine itself takes for the three things that operations of a runtime are made of; the
 * floors beside the rows are counted in them. Prints `name ns value`:
 *   transfer   a cache line goes from one core to another (half of a round trip; 0 with one core)
 *   atomic     an atomic read-modify-write of a line that the core owns
 *   instruction  one instruction of a dependent chain */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 200000, STEPS = 20000000 };

static struct {
    _Alignas(128) atomic_long to;
    _Alignas(128) atomic_long from;
} lines;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Sits on the number'th processor that the process may use. */
static int sit(int number)
{
    cpu_set_t may, one;
    sched_getaffinity(0, sizeof may, &may);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &may) && number-- == 0) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            return pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0;
        }
    return 0;
}

static void *echo(void *may)
{
    if (!sit(1))
        return NULL;
    atomic_store(&lines.from, -1);
    for (long round = 1; round <= ROUNDS; round++) {
        while (atomic_load_explicit(&lines.to, memory_order_acquire) != round)
            ;
        atomic_store_explicit(&lines.from, round, memory_order_release);
    }
    return may;
}

static double transfer(void)
{
    cpu_set_t may;
    sched_getaffinity(0, sizeof may, &may);
    if (CPU_COUNT(&may) < 2)
        return 0;
    pthread_t other;
    if (pthread_create(&other, NULL, echo, &may) != 0)
        return 0;
    while (atomic_load(&lines.from) != -1)
        ;
    sit(0);
    double best = 1e9;
    for (long round = 1, block = ROUNDS / 20; round <= ROUNDS; ) {
        double start = now();
        for (long last = round + block; round < last; round++) {
            atomic_store_explicit(&lines.to, round, memory_order_release);
            while (atomic_load_explicit(&lines.from, memory_order_acquire) != round)
                ;
        }
        double each = (now() - start) / (double)block / 2;
        best = each < best ? each : best;
    }
    pthread_join(other, NULL);
    return best;
}

int main(void)
{
    printf("transfer ns %.2f\n", transfer());
    static _Alignas(128) atomic_long own;
    double start = now();
    for (long step = 0; step < STEPS / 4; step++)
        atomic_fetch_add(&own, 1);
    printf("atomic ns %.2f\n", (now() - start) / (STEPS / 4));
    unsigned long chain = 1;
    start = now();
    for (long step = 0; step < STEPS / 10; step++)
        __asm__ volatile("add $1, %0; add $1, %0; add $1, %0; add $1, %0; add $1, %0;"
                         "add $1, %0; add $1, %0; add $1, %0; add $1, %0; add $1, %0"
                         : "+r"(chain));
    printf("instruction ns %.3f\n", (now() - start) / STEPS);
    return 0;
}
