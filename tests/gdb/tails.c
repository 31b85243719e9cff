/* A function whose last statement is a region leaves for it by a jump: it is on no stack. */
#include <omp.h>
#include <unistd.h>

static void __attribute__((noinline)) deep(void)
{
    for (;;) {
        pause(); /* sleeps */
        __asm__ volatile("" ::: "memory");
    }
}

static void __attribute__((noinline)) work(void)
{
#pragma omp parallel num_threads(2) /* region */
    {
        if (omp_get_thread_num())
            deep(); /* calls deep */
        __asm__ volatile("" ::: "memory");
    }
}

int main(void)
{
    alarm(240);
    work(); /* calls work */
    __asm__ volatile("" ::: "memory");
    return 0;
}
