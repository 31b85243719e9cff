/* Loops and sections of which thread 1 has the first part, while thread 0 has not come. */
#include <omp.h>
#include <sched.h>
#include <unistd.h>

static volatile int come;
static long sum;

static void __attribute__((noinline)) work(int i, int wanted)
{
    if (i != wanted)
        return;
    sum += i;
    __asm__ volatile("nop"); /* stops */
    come++;
}
/* Thread 0 comes to a construct when thread 1 is in it. */
static void late(int construct)
{
    while (omp_get_thread_num() == 0 && come <= construct)
        sched_yield(); /* is late */
}

int main(void)
{
    alarm(240);
#pragma omp parallel num_threads(2) /* region */
    {
        late(0);
#pragma omp for schedule(dynamic, 4)
        for (int i = 0; i < 1000; i++)
            work(i, 500);
        late(1);
#pragma omp for schedule(guided)
        for (int i = 0; i < 1000; i++)
            work(i, 0);
        late(2);
#pragma omp for schedule(dynamic, 4) ordered
        for (int i = 100; i > 0; i -= 2) {
#pragma omp ordered
            work(i, 100);
        }
        late(3);
#pragma omp for schedule(runtime)
        for (int i = 10; i < 100; i += 3)
            work(i, 61);
        late(4);
#pragma omp for schedule(static)
        for (int i = 10; i < 100; i += 3)
            work(i, 61);
        late(5);
#pragma omp sections
        {
#pragma omp section
            work(1, 1);
#pragma omp section
            come += 10;
        }
#pragma omp single
        {
#pragma omp task if (0) /* task */
            work(0, 0);
        }
    }
    return sum == 0;
}
