// A program may close what it did not open, give a descriptor's number to a file of its own, and
// limit its files' size.
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void regions(int count) {
    for (int round = 0; round < count; round++) {
#pragma omp parallel num_threads(2)
        for (double begin = omp_get_wtime(); omp_get_wtime() - begin < 0.01;) {
        }
    }
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    regions(5);
    usleep(400000); // The record file is there, with something in it.
    regions(5);
    if (strcmp(way, "close") == 0) {
        for (int file = 3; file < 1024; file++) close(file);
    } else if (strcmp(way, "take") == 0) {
        int own = open(argv[2], O_CREAT | O_RDWR | O_TRUNC, 0600);
        for (int file = 3; file < 300; file++)
            if (file != own) dup2(own, file);
    } else if (strcmp(way, "limit") == 0) {
        struct rlimit limit = {16384, 16384};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    for (int round = 0; round < 4; round++) {
        regions(10);
        usleep(200000);
    }
    regions(5);
    puts("ok");
    return 0;
}
