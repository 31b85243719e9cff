// A file that a program opens gets the lowest number that is free, however busy its other threads
// are. One thread opens files while the other one works and sleeps by turns.
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static volatile int done;

static void region(void)
{
#pragma omp parallel num_threads(2)
    for (double begin = omp_get_wtime(); omp_get_wtime() - begin < 0.05;) {
    }
}

int main(void)
{
    int other = 0, refused = 0;
    region(); // The record file is there, and all threads are.
    int first = open("/dev/null", O_RDONLY);
    close(first);
#pragma omp parallel num_threads(2)
    {
        double begin = omp_get_wtime();
        if (omp_get_thread_num() == 0) {
            while (omp_get_wtime() - begin < 1.5) {
                int file = open("/dev/null", O_RDONLY);
                other += file != first;
                refused += dup2(file, first + 1) != first + 1;
                close(file);
                close(first + 1);
            }
            done = 1;
        } else {
            while (!done) {
                for (double from = omp_get_wtime(); omp_get_wtime() - from < 0.004;) {
                }
                usleep(1000);
            }
        }
    }
    printf("%d %d\n", other, refused);
    return 0;
}
