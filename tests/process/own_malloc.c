/* The program's own allocator asks OpenMP something at each call, also on a thread that OpenMP has
 * not met, also while it meets that thread and while the thread ends. OWN_MALLOC_ASKS says what,
 * OWN_MALLOC_THREADS on how many threads at once.
 * (With some of these libgomp waits for itself, and LLVM's runtime with all.) */
#include "../conformance/check.h"
#include <errno.h>
#include <pthread.h>

void *__libc_malloc(size_t bytes);
void __libc_free(void *block);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

enum { ROUNDS = 10, THREADS = 12, MOST_THREADS = 1000, STACK = 1 << 16 };

static pthread_barrier_t all_met;
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

static int work(int threads)
{
    int own = 0;
#pragma omp parallel num_threads(threads) reduction(+ : own)
    {
        char *block = malloc(100);
        block[0] = 1;
        own += block[0];
        free(block);
#pragma omp task
        free(malloc(10000));
    }
    return own;
}

static void *comes_and_goes(void *sum)
{
    int own = work(2);
    __atomic_fetch_add((int *)sum, own, __ATOMIC_RELAXED);
    return 0;
}

/* Meets OpenMP, and ends when all have. */
static void *stays(void *sum)
{
    int own = work(1);
    __atomic_fetch_add((int *)sum, own, __ATOMIC_RELAXED);
    pthread_barrier_wait(&all_met);
    return 0;
}

int main(void)
{
    omp_init_lock(&lock);
    has_lock = 1;
    int sum = 0, each = 2, count = THREADS, rounds = ROUNDS;
    void *(*body)(void *) = comes_and_goes;
    comes_and_goes(&sum);
    static pthread_t threads[MOST_THREADS];
    const char *many = getenv("OWN_MALLOC_THREADS");
    if (many) each = 1, count = atoi(many), rounds = 3, body = stays;
    pthread_barrier_init(&all_met, 0, count);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < count; i++)
            CHECK_EQ(pthread_create(&threads[i], &small, body, &sum), 0);
        for (int i = 0; i < count; i++)
            pthread_join(threads[i], 0);
    }
    CHECK_EQ(sum, 2 + each * rounds * count);
    CHECK(!wrong && asked > 0);
    return check_done();
}
