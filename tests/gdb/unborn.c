/* A worker that the kernel has made and that has not come to the runtime's code yet. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *waits(void *unused)
{
    for (;;)
        pause();
    return unused;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        dlsym(RTLD_NEXT, "pthread_create");
    (void)run;
    return create(thread, how, waits, with);
}

int main(void)
{
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members++;
    printf("%d\n", members);
    return 0;
}
