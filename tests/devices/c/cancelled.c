// Deferred constructs whose taskgroup is cancelled before they begin leave nothing behind: many of
// them, each with a copy of sixteen kilobytes.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

struct large { char bytes[16384]; };

static long kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void once(struct large large)
{
    int before = 0;
#pragma omp taskgroup
    {
#pragma omp task depend(out : before)
        before++;
#pragma omp target nowait depend(in : before) firstprivate(large)
        large.bytes[0]++;
#pragma omp task if (0)
        {
#pragma omp cancel taskgroup
        }
    }
}

int main(int count, char **arguments)
{
    (void)count;
    if (!getenv("OMP_CANCELLATION")) {
        setenv("OMP_CANCELLATION", "true", 1);
        execv("/proc/self/exe", arguments);
    }
    static struct large large;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < 200; i++) once(large);
        long before = kilobytes();
        for (int i = 0; i < 4000; i++) once(large);
        printf("%s\n", kilobytes() - before < 32 << 10 ? "nothing is left" : "memory is left");
    }
    return 0;
}
