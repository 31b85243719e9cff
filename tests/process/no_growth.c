#define _GNU_SOURCE
/* What comes and goes leaves nothing behind, by the C library's count of what its allocator has
 * given out. no_growth threads N: threads of the program, one after another, each with a region and
 * a nested one; no_growth leavers N: threads that end before an event of theirs is fulfilled;
 * no_growth crowds N: four at a time, with teams of several sizes, so that workers go
 * from team to team; no_growth refused N: regions of which each is refused a thread;
 * no_growth load N LIBRARY: a library with regions is loaded, used and closed, here by a thread of
 * its own. N is how often; the first eighth of it is not judged.
 *
 * A leak grows in every stretch of the run; a worker that lags makes one stretch grow, by one
 * record of some 70 KiB. So of the seven eighths that are judged the one in the middle, by growth,
 * grows by less than 16 bytes for each time. All together they grow by no more than that and a
 * burst. In a crowd as many workers lag as are on their way at once, and several stretches may make
 * a record: there only the whole is judged. */
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

/* `together`: all of the crowd are here at once each time, so that no time needs more threads than
 * the first. */
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

/* Ends while a detached task of its is not complete. The main thread fulfils the event then. */
static omp_event_handle_t event;

static void *leaves(void *unused)
{
    omp_event_handle_t own;
#pragma omp task detach(own)
    event = own;
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

enum { STRETCHES = 8 };

static int by_size(const void *one, const void *other)
{
    long a = *(const long *)one, b = *(const long *)other;
    return (a > b) - (a < b);
}

/* `held`: what was given out after each stretch. Says what is wrong with it. */
static const char *judge(const size_t *held, long times, int crowds)
{
    long burst = crowds ? 1 << 20 : 1 << 18;
    long growth[STRETCHES - 1];
    for (int i = 1; i < STRETCHES; i++)
        growth[i - 1] = (long)held[i] - (long)held[i - 1];
    qsort(growth, STRETCHES - 1, sizeof *growth, by_size);
    printf("growth of stretches: %ld to %ld, in the middle %ld\n", growth[0], growth[STRETCHES - 2],
           growth[(STRETCHES - 1) / 2]);
    if (!crowds && growth[(STRETCHES - 1) / 2] > times / STRETCHES * 16)
        return "grows in most stretches";
    return (long)held[STRETCHES - 1] > (long)held[0] + times * 16 + burst ? "grows" : 0;
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
    size_t held[STRETCHES];
    for (int i = 0; i < times; i++) {
        if (!strcmp(what, "threads"))
            run(lonely, 0);
        else if (!strcmp(what, "crowds"))
            four(i);
        else if (!strcmp(what, "refused"))
            region(4, 0);
        else if (!strcmp(what, "leavers")) {
            run(leaves, 0);
            omp_fulfill_event(event);
        } else
            run(loads, 0);
        if ((i + 1) * STRETCHES / times > i * STRETCHES / times)
            held[(i + 1) * STRETCHES / times - 1] = mallinfo2().uordblks;
    }
    printf("%s %d times: %zu bytes, then %zu; wrong %d\n", what, times, held[0],
           held[STRETCHES - 1], wrong);
    const char *says = judge(held, times, !strcmp(what, "crowds"));
    if (says)
        puts(says);
    if (wrong || says)
        return 1;
    puts("ok");
    return 0;
}
