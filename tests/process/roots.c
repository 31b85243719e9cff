/* Regions started from several threads of the program at once: each is its own initial thread. */
#include "../conformance/check.h"
#include <pthread.h>

static void *work(void *argument)
{
    int me = (int)(long)argument;
    for (int round = 0; round < 50; round++) {
        long sum = 0;
        int members = 0, size = 2 + (me + round) % 3;
        CHECK_EQ(omp_get_thread_num(), 0);
        CHECK_EQ(omp_in_parallel(), 0);
#pragma omp parallel num_threads(size) reduction(+ : sum, members)
        {
            members++;
#pragma omp for schedule(dynamic, 3)
            for (int i = 0; i < 100; i++)
                sum += i;
#pragma omp single
            for (int i = 0; i < 10; i++) {
#pragma omp task
                __asm__ volatile("");
            }
        }
        CHECK_EQ(sum, 4950);
        CHECK_EQ(members, size);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[6];
    for (long t = 0; t < 6; t++)
        CHECK_EQ(pthread_create(&threads[t], 0, work, (void *)t), 0);
    work((void *)6);
    for (int t = 0; t < 6; t++)
        pthread_join(threads[t], 0);
    return check_done();
}
