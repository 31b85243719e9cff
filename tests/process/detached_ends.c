/* The program's own `free` asks OpenMP. A detached thread frees a part of itself as the last thing
 * it does: some meet OpenMP there for the first time. Their stacks are too large to be kept. */
#include "../conformance/check.h"
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 40, STACK = 1 << 26 };

void __libc_free(void *block);

static int begun, asked;

void free(void *block)
{
    if (__atomic_load_n(&begun, __ATOMIC_RELAXED) && omp_get_max_threads() > 0)
        __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
    __libc_free(block);
}

static void *nothing(void *argument)
{
    __atomic_fetch_add((int *)argument, 1, __ATOMIC_RELAXED);
    return 0;
}

static int region(void)
{
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members++;
    return members;
}

int main(void)
{
    int ran = 0;
    CHECK_EQ(region(), 2);
    __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&detached, STACK);
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, &detached, nothing, &ran), 0);
        usleep(1000);
    }
    while (__atomic_load_n(&ran, __ATOMIC_RELAXED) < THREADS) usleep(1000);
    usleep(20000);
    CHECK_EQ(region(), 2);
    CHECK(asked > 0);
    return check_done();
}
