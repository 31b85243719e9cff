// Blocks in calls, in a region and outside of any, and works for as long; says how long each took.
#define _GNU_SOURCE
#include <omp.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void *sleeper(void *unused) {
    (void)unused;
    usleep(60000);
    return NULL;
}

static double region_blocked, serial_blocked, serial_worked;

#define BLOCK(sum, call)         \
    do {                         \
        double begin = now();    \
        call;                    \
        sum += now() - begin;    \
    } while (0)

__attribute__((noinline)) static void work(double seconds) {
    for (double begin = now(); now() - begin < seconds;) {
    }
}

int main(int argc, char **argv) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        for (int round = 0; round < 5; round++) {
            work(0.01);
            BLOCK(region_blocked, usleep(20000));
        }
        BLOCK(region_blocked, poll(NULL, 0, 50));
    }
    double begin = now();
    work(0.05);
    serial_worked = now() - begin;
    pthread_t thread;
    BLOCK(serial_blocked, pthread_create(&thread, NULL, sleeper, NULL); pthread_join(thread, NULL));
    pid_t child = fork();
    if (child == 0) {
        usleep(60000);
        _exit(0);
    }
    BLOCK(serial_blocked, waitpid(child, NULL, 0));
    int ends[2];
    char byte;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    struct timeval timeout = {0, 60000};
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    BLOCK(serial_blocked, recv(ends[0], &byte, 1, 0));
    printf("region %f\nserial %f\nworked %f\n", region_blocked, serial_blocked, serial_worked);
    fflush(stdout);
    if (argc > 1 && strcmp(argv[1], "hang") == 0) {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0)
                for (;;) pause();
            else
                syscall(SYS_pause);
        }
    }
    return 0;
}
