/* The program's own allocator asks OpenMP something at each call, also on a thread that OpenMP has
 * not met, also while it meets that thread and while the thread ends. OWN_MALLOC_ASKS says what.
 * (With some of these libgomp waits for itself, and LLVM's runtime with all.) */
#include "../conformance/check.h"
#include <errno.h>
#include <pthread.h>

void *__libc_malloc(size_t bytes);
void __libc_free(void *block);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

enum { ROUNDS = 10, THREADS = 12 };

static const char *asks;
static int wrong, has_lock;
static long asked, in_critical, in_lock;
static omp_lock_t lock;

static void ask(void)
{
    if (!asks) asks = getenv("OWN_MALLOC_ASKS") ? getenv("OWN_MALLOC_ASKS") : "";
    int answer = 1;
    if (!strcmp(asks, "max_threads"))
        answer = omp_get_max_threads();
    else if (!strcmp(asks, "num_threads"))
        answer = omp_get_num_threads();
    else if (!strcmp(asks, "num_procs"))
        answer = omp_get_num_procs();
    else if (!strcmp(asks, "level"))
        answer = omp_get_level() + 1;
    else if (!strcmp(asks, "set_threads"))
        omp_set_num_threads(3);
    else if (!strcmp(asks, "critical")) {
#pragma omp critical(of_malloc)
        in_critical++;
    } else if (!strcmp(asks, "lock") && has_lock) {
        omp_set_lock(&lock);
        in_lock++;
        omp_unset_lock(&lock);
    }
    if (answer < 1 || answer > 65536) wrong = 1;
#pragma omp atomic
    asked++;
}

void *malloc(size_t bytes)
{
    ask();
    return __libc_malloc(bytes);
}

void free(void *block)
{
    ask();
    __libc_free(block);
}

void *calloc(size_t count, size_t bytes)
{
    ask();
    return __libc_calloc(count, bytes);
}

void *realloc(void *block, size_t bytes)
{
    ask();
    return __libc_realloc(block, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    ask();
    return __libc_memalign(alignment, bytes);
}

int posix_memalign(void **place, size_t alignment, size_t bytes)
{
    ask();
    *place = __libc_memalign(alignment, bytes);
    return *place ? 0 : ENOMEM;
}

static void *comes_and_goes(void *sum)
{
    int own = 0;
#pragma omp parallel num_threads(2) reduction(+ : own)
    {
        char *block = malloc(100);
        block[0] = 1;
        own += block[0];
        free(block);
#pragma omp task
        free(malloc(10000));
    }
    __atomic_fetch_add((int *)sum, own, __ATOMIC_RELAXED);
    return 0;
}

int main(void)
{
    omp_init_lock(&lock);
    has_lock = 1;
    int sum = 0;
    comes_and_goes(&sum);
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], 0, comes_and_goes, &sum);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], 0);
    }
    CHECK(sum == 2 * (1 + ROUNDS * THREADS));
    CHECK(!wrong && asked > 0);
    return check_done();
}
