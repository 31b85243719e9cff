/* Regions in a library's constructor and destructor. Meanwhile the loading thread holds the dynamic
 * linker's lock and waits for its team, so nothing that another member does may need that lock:
 * each construct is first used there. With -DLIBRARY the library, else the program that loads
 * it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef LIBRARY
#include <omp.h>

static int own = 1;
#pragma omp threadprivate(own)

static void check(const char *what, int value, int wanted)
{
    if (value == wanted)
        return;
    fprintf(stderr, "%s: %d instead of %d\n", what, value, wanted);
    _Exit(1);
}

extern int __omp_collector_api(void *) __attribute__((weak));

static void on_event(int event) { (void)event; }

/* A session of the Collector API with one event. Size, request, error, room for the answer, then
 * the memory: an event and, padded, a function. */
static int collect(void)
{
    int failed = 0;
    void (*function)(int) = on_event;
    int message[9] = {32, 0, 0, 0, 1};
    memcpy(message + 6, &function, sizeof function);
    for (int request = 0; request < 3; request++) { /* start, register, unregister */
        message[1] = request;
        failed |= __omp_collector_api(message) | message[2];
    }
    message[1] = 6; /* stop */
    return failed | __omp_collector_api(message) | message[2];
}

static void everything(void)
{
    int tasks = 0, iterations = 0, ordered = 0, sum = 0, chain = 0, members = 0, failed = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(3) copyin(own) reduction(+ : sum) reduction(| : failed)
    {
        sum += own;
        own = omp_get_thread_num();
        omp_set_lock(&lock);
        members++;
        omp_unset_lock(&lock);
        if (omp_get_thread_num() == 0) { /* the others come first to what follows */
#pragma omp barrier
        }
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks++;
        }
#pragma omp taskwait
        if (omp_get_thread_num() != 0) {
#pragma omp barrier
        }
#pragma omp taskgroup
        {
#pragma omp taskloop grainsize(1)
            for (int i = 0; i < 10; i++) {
#pragma omp atomic
                tasks++;
            }
        }
#pragma omp single
        for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : chain) shared(chain) untied priority(1)
            chain++;
        }
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 10; i++) {
#pragma omp ordered
            ordered++;
        }
#pragma omp for schedule(guided)
        for (int i = 0; i < 10; i++) {
#pragma omp critical(while_loading)
            iterations++;
        }
        int copied;
#pragma omp single copyprivate(copied)
        copied = 7;
        sum += copied - 7;
        int inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
        {
            inner += 1;
#pragma omp barrier
        }
        sum += inner < 1;
        int host = omp_get_initial_device();
        void *block = omp_target_alloc(8, host);
        omp_target_free(block, host);
        failed |= !block || omp_get_num_devices() != 0;
        if (omp_get_thread_num() == omp_get_num_threads() - 1 && __omp_collector_api)
            failed |= collect();
    }
    omp_destroy_lock(&lock);
    check("tasks", tasks, 20 * members);
    check("chain", chain, 10);
    check("ordered", ordered, 10);
    check("iterations", iterations, 10);
    check("sum", sum, members);
    check("failed", failed, 0);
    own = 1;
}

__attribute__((constructor)) static void loading(void)
{
    everything();
}

__attribute__((destructor)) static void unloading(void)
{
    everything();
}

int library_region(int threads)
{
    everything();
    return threads;
}
#else
#include <dlfcn.h>

int main(int argc, char **argv)
{
    for (int round = 0; round < 5; round++) {
        void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        if (round < 4) /* the last one ends with the process */
            dlclose(library);
    }
    puts("ok");
    return 0;
}
#endif
