// Workers begin in a function of the program's, which stands before `pthread_create`.
// @flags: -ldl -rdynamic
#define _GNU_SOURCE
#include "truth.h"
#include <dlfcn.h>
#include <pthread.h>

static own_t work[2];

typedef struct {
    void *(*body)(void *);
    void *argument;
} start_t;

APART void *starts(void *started)
{
    start_t start = *(start_t *)started;
    free(started);
    void *result = start.body(start.argument);
    __asm__ volatile("");
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *),
                   void *argument)
{
    typedef int create_t(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    create_t *create = (create_t *)dlsym(RTLD_NEXT, "pthread_create");
    start_t *start = malloc(sizeof *start);
    *start = (start_t){body, argument};
    return create(thread, how, starts, start);
}

APART void step(void)
{
    #pragma omp parallel num_threads(2) // mark: region
    work[omp_get_thread_num()].seconds += burn(0.02);
}

int main(void)
{
    double begin = now();
    for (int i = 0; i < 20; i++)
        step();
    truth("work@region", sum_of(work, 2));
    truth("callers@region", 1);
    truth("elapsed", now() - begin);
}
