// Ends as its argument says, right after a region.
#define _GNU_SOURCE
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(2)
        for (double begin = omp_get_wtime(); omp_get_wtime() - begin < 0.01;) {
        }
    }
    if (strcmp(way, "_exit") == 0) _exit(7);
    if (strcmp(way, "_Exit") == 0) _Exit(7);
    if (strcmp(way, "quick_exit") == 0) quick_exit(7);
    return 7;
}
