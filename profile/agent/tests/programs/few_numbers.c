// Descriptors of a process that may have few: the numbers that its own files get.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    rlim_t soft = atoi(argv[1]), hard = atoi(argv[2]);
    struct rlimit limit = {soft, hard};
    if (argc < 3 || setrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
#pragma omp parallel num_threads(1) // What other threads open takes a number meanwhile.
    usleep(1000);
    int first = open("/dev/null", O_RDONLY), count = first >= 0;
    while (open("/dev/null", O_RDONLY) >= 0) count++;
    getrlimit(RLIMIT_NOFILE, &limit);
    printf("%d %d %d\n", first, count, limit.rlim_cur == soft && limit.rlim_max == hard);
    return 0;
}
