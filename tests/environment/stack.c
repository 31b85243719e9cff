/* Bytes of a worker's stack, what the runtime says of them, and that the worker can use three
   quarters of many, for environment/stack.rs. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

size_t kmp_get_stacksize_s(void) __attribute__((weak));

static int deep(unsigned bytes)
{
    volatile char block[256];
    block[0] = (char)bytes;
    return bytes < 1024 ? block[0] : deep(bytes - 512) + block[0];
}

int main(void)
{
    int threads = 0, used = 0;
    size_t size = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
    {
        threads++;
        if (omp_get_thread_num() == 1) {
            pthread_attr_t own;
            pthread_getattr_np(pthread_self(), &own);
            pthread_attr_getstacksize(&own, &size);
            pthread_attr_destroy(&own);
            used = deep(size < 8192 ? 0 : size < 1 << 20 ? 6144 : size / 4 * 3);
        }
    }
    printf("threads %d\nstack %zu\n", threads + 0 * used, size);
    if (kmp_get_stacksize_s)
        printf("said %zu\n", kmp_get_stacksize_s());
    return 0;
}
