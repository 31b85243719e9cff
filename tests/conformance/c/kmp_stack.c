/* The stack of workers by LLVM's routines: what was set is what a worker made later has, but no
 * less than the system makes threads with.
 * @compilers: clang — the routines are in that runtime only
 * @threads: 2 */
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>

static size_t of_worker(void)
{
    size_t size = 0;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        pthread_attr_t own;
        pthread_getattr_np(pthread_self(), &own);
        pthread_attr_getstacksize(&own, &size);
        pthread_attr_destroy(&own);
    }
    return size;
}

int main(void)
{
    kmp_set_stacksize_s(3 << 20);
    CHECK_EQ(kmp_get_stacksize_s() >> 20, 3);
    CHECK_EQ(kmp_get_stacksize() >> 20, 3);
    kmp_set_stacksize(100);
    CHECK(kmp_get_stacksize() >= 16 << 10 && kmp_get_stacksize() < 64 << 10);
    size_t least = of_worker();
    CHECK(least >= 16 << 10 && least < 64 << 10);
    return check_done();
}
