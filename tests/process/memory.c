/* What the runtime costs in memory: the resident pages of its library, and by how much the process's
 * other pages grew since before its first OpenMP call: heap, stacks, thread-local storage.
 * Prints `resident KIB own KIB` (own: not shared with other processes). */
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* Sums a field of /proc/self/smaps over the mappings whose path has (or has not) `name` in it. */
static long kib(const char *name, int has, const char *field)
{
    static char line[4096], buffer[65536];
    FILE *file = fopen("/proc/self/smaps", "r");
    long sum = 0, value;
    int counts = 0;
    if (!file)
        return -1;
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    while (fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strchr(line, '-') && (!colon || strchr(line, '-') < colon))
            counts = (strstr(line, name) != 0) == has;
        else if (counts && colon && !strncmp(line, field, strlen(field)) &&
                 sscanf(colon + 1, "%ld", &value) == 1)
            sum += value;
    }
    fclose(file);
    return sum;
}

int main(int argc, char **argv)
{
    const char *library = argc > 1 ? argv[1] : "libgomp";
    long sum = 0, rss, own, ordered = 0;
    kib(library, 0, "Rss"); /* so that the C library's own needs are there before */
    rss = kib(library, 0, "Rss");
    own = kib(library, 0, "Anonymous");
    for (int i = 0; i < 10; i++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        {
#pragma omp for schedule(dynamic)
            for (int k = 0; k < 100; k++)
                sum += k;
#pragma omp for ordered
            for (int k = 0; k < 10; k++) {
#pragma omp ordered
                ordered += k;
            }
#pragma omp single
            for (int k = 0; k < 100; k++) {
#pragma omp task
#pragma omp critical
                ordered += k;
            }
        }
    }
    rss = kib(library, 0, "Rss") - rss + kib(library, 1, "Rss");
    own = kib(library, 0, "Anonymous") - own + kib(library, 1, "Anonymous");
    printf("resident %ld own %ld sum %ld %ld\n", rss, own, sum, ordered);
    return 0;
}
