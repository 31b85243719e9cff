#define _GNU_SOURCE
/* What comes and goes leaves nothing behind, by the C library's count of what its allocator has given out.
 * no_growth threads N: threads of the program, one after another, each with a region and a nested one;
 * no_growth crowds N: four at a time, with teams of several sizes, so that workers go from team to team;
 * no_growth refused N: regions of which each is refused a thread;
 * no_growth load N LIBRARY: a library with regions is loaded, used and closed, here by a thread of its own.
 * N is how often; the first eighth of it is not judged. */
#include <dlfcn.h>
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

static const char *library;
static int wrong;

/* Everybody makes a task, so that each thread has from the first time on what it keeps for them. */
static void make_task(int *sum)
{
#pragma omp task firstprivate(sum)
    (void)sum;
}

/* `together`: all of the crowd are here at once each time, so that no time needs more threads than the first. */
static void region(int threads, pthread_barrier_t *together)
{
    int sum = 0, inner = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum, inner)
    {
        sum++;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 8; i++)
            sum += 0;
        make_task(&sum);
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2) reduction(+ : inner)
            {
                inner++;
                make_task(&inner);
                if (together && omp_get_thread_num() == 0)
                    pthread_barrier_wait(together);
            }
        }
    }
    if (sum > threads || sum < 1 || inner < 1 || inner > 2)
        __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void *lonely(void *unused)
{
    region(3, 0);
    return unused;
}

static pthread_barrier_t all_four;

static void *one_of_four(void *size)
{
    region((int)(size_t)size, &all_four);
    return 0;
}

static void *loads(void *unused)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    int (*work)(int) = handle ? (int (*)(int))dlsym(handle, "library_region") : 0;
    if (!work || work(3) != 3)
        __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    if (handle)
        dlclose(handle);
    return unused;
}

static void run(void *(*body)(void *), size_t argument)
{
    pthread_t thread;
    if (pthread_create(&thread, 0, body, (void *)argument) || pthread_join(thread, 0))
        wrong++;
}

static void four(int round)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], 0, one_of_four, (void *)(size_t)(2 + (round + i) % 4)))
            abort();
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
}

static void refuse(void)
{
    region(2, 0);
    struct rlimit limit = {2, 2};
    if (setrlimit(RLIMIT_NPROC, &limit))
        abort();
    /* The limit does not bind root: become somebody without other processes. */
    if (geteuid() == 0 && setresuid(54322, 54322, 54322))
        abort();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int times = argc > 2 ? atoi(argv[2]) : 0;
    library = argc > 3 ? argv[3] : 0;
    pthread_barrier_init(&all_four, 0, 4);
    omp_set_max_active_levels(2);
    if (!strcmp(what, "refused"))
        refuse();
    size_t before = 0;
    for (int i = 0; i < times; i++) {
        if (i == times / 8)
            before = mallinfo2().uordblks;
        if (!strcmp(what, "threads"))
            run(lonely, 0);
        else if (!strcmp(what, "crowds"))
            four(i);
        else if (!strcmp(what, "refused"))
            region(4, 0);
        else
            run(loads, 0);
    }
    size_t after = mallinfo2().uordblks;
    printf("%s %d times: %zu bytes, then %zu; wrong %d\n", what, times, before, after, wrong);
    /* Less than 16 bytes for each time, and what threads that lag have not yet given back: a worker on its way out has
     * another one's record made, of some 70 KiB with the place for its tasks. In a crowd as many as are on their way
     * at once. */
    size_t lags = strcmp(what, "crowds") ? 1 << 18 : 1 << 20;
    if (wrong || after > before + (size_t)times * 16 + lags)
        return 1;
    puts("ok");
    return 0;
}
