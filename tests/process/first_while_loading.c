/* The first call of a routine while another thread loads a library, which goes on only when the
 * call is through: the runtime starts without the dynamic linker's lock. With -DLIBRARY the
 * library, else the program. */
#ifdef LIBRARY
void loading(void);

__attribute__((constructor)) static void construct(void)
{
    loading();
}
#else
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t is_loading, is_through;

/* In the library's constructor. */
void loading(void)
{
    sem_post(&is_loading);
    sem_wait(&is_through);
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
    }
}

static void *load(void *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        fprintf(stderr, "%s\n", dlerror());
    return library;
}

int main(int argc, char **argv)
{
    pthread_t loader;
    void *library;
    sem_init(&is_loading, 0, 0);
    sem_init(&is_through, 0, 0);
    pthread_create(&loader, NULL, load, argc > 1 ? argv[1] : "");
    sem_wait(&is_loading);
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members += 1;
    sem_post(&is_through);
    pthread_join(loader, &library);
    if (!library || members < 1)
        return 1;
    puts("ok");
    return 0;
}
#endif
