/* main ends by pthread_exit while another thread of the program still enters regions. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *work(void *argument)
{
    int sum = 0;
    (void)argument;
    usleep(50000);
    for (int i = 0; i < 20; i++) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
        sum += 1;
    }
    puts(sum == 60 ? "ok" : "wrong");
    exit(sum != 60);
}

int main(void)
{
    pthread_t thread;
#pragma omp parallel num_threads(4)
    ;
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
