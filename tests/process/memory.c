/* What the runtime costs in memory: the resident pages of its library, and by how much the
 * process's other pages grew since before its first OpenMP call: heap, stacks, thread-local
 * storage. Prints `resident KIB own KIB first KIB all KIB`: after the usual constructs, how much of
 * that is not shared with other processes, after the first region, and after the other
 * constructs. */
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

static const char *library;
static long rss_before, own_before;

static long resident(void)
{
    return kib(library, 0, "Rss") - rss_before + kib(library, 1, "Rss");
}

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

/* What the loop in `main` leaves out. Nested regions have four threads. */
static long others(void)
{
    long sum = 0, cell[8] = {0};
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        long chosen = 0;
#pragma omp for schedule(guided)
        for (int k = 0; k < 100; k++)
            sum += k;
#pragma omp for ordered(1)
        for (int k = 1; k < 100; k++) {
#pragma omp ordered depend(sink : k - 1)
            cell[0] += k;
#pragma omp ordered depend(source)
        }
#pragma omp sections
        {
#pragma omp section
            sum++;
#pragma omp section
            sum++;
        }
#pragma omp single copyprivate(chosen)
        chosen = 1;
        omp_set_lock(&lock);
        cell[1] += chosen;
        omp_unset_lock(&lock);
#pragma omp single
        {
            sum += fib(12);
            for (int k = 0; k < 500; k++) {
#pragma omp task depend(inout : cell[k & 7]) priority(k & 3)
                cell[k & 7]++;
            }
#pragma omp taskloop grainsize(1)
            for (int k = 0; k < 100; k++) {
#pragma omp atomic
                cell[k & 7]++;
            }
        }
    }
    omp_destroy_lock(&lock);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
#pragma omp parallel num_threads(2) reduction(+ : sum)
        sum++;
    }
#pragma omp teams num_teams(2) thread_limit(2) reduction(+ : sum)
    sum++;
    return sum;
}

int main(int argc, char **argv)
{
    long sum = 0, rss, own, first, ordered = 0;
    library = argc > 1 ? argv[1] : "libgomp";
    kib(library, 0, "Rss"); /* so that the C library's own needs are there before */
    rss_before = kib(library, 0, "Rss");
    own_before = kib(library, 0, "Anonymous");
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += 1;
    first = resident();
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
    rss = resident();
    own = kib(library, 0, "Anonymous") - own_before + kib(library, 1, "Anonymous");
    sum += others();
    printf("resident %ld own %ld first %ld all %ld sum %ld %ld\n", rss, own, first, resident(), sum,
           ordered);
    return 0;
}
