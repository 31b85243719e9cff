/* Two functions in turn, of which the program has the profiler measure `measured` only, ten times,
 * and the second half of a region. Says what the calls answered, and what its own clock says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { START = 1, PAUSE = 2, FLUSH = 3, END = 4 };
static int (*control)(int, int, void *);
static double elapsed, began;

static void burn(double seconds)
{
    double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end)
        ;
}

static void on(void)
{
    printf("start %d\n", control(START, 0, NULL));
    began = omp_get_wtime();
}

static void off(void)
{
    elapsed += omp_get_wtime() - began;
    printf("pause %d\n", control(PAUSE, 0, NULL));
}

__attribute__((noinline)) void measured(void)
{
    #pragma omp parallel num_threads(2) // measured
    burn(0.02 * (1 + omp_get_thread_num()));
}

__attribute__((noinline)) void unmeasured(void)
{
    #pragma omp parallel num_threads(2) // unmeasured
    burn(0.03);
}

__attribute__((noinline)) void halves(void)
{
    #pragma omp parallel num_threads(2) // halves
    {
        burn(0.1);
        #pragma omp barrier
        #pragma omp master
        on();
        burn(0.1);
    }
    off();
}

int main(void)
{
    *(void **)&control = dlsym(RTLD_DEFAULT, "omp_control_tool");
    if (!control)
        return 1;
    unmeasured();
    printf("pause %d\n", control(PAUSE, 0, NULL));
    for (int i = 0; i < 10; i++) {
        unmeasured();
        on();
        measured();
        off();
    }
    halves();
    unmeasured();
    printf("again %d\n", control(PAUSE, 0, NULL));
    printf("flush %d\n", control(FLUSH, 0, NULL));
    printf("elapsed %.6f\n", elapsed);
    return 0;
}
