/* Bytes of a worker's stack, and that the worker can use half of them, for environment/stack.rs. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

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
            used = deep(size < 8192 ? 0 : 6144);
        }
    }
    printf("threads %d\nstack %zu\n", threads + 0 * used, size);
    return 0;
}
