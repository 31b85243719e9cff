// A megabyte that is mapped and unmapped again and again takes no more memory each time.
#include <stdio.h>
#include <sys/resource.h>

enum { BYTES = 1 << 20, TIMES = 150 };
static char bytes[BYTES];

static long kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void once(void)
{
#pragma omp target map(tofrom : bytes)
    bytes[BYTES - 1]++;
}

int main(void)
{
    for (int i = 0; i < 10; i++) once();
    long before = kilobytes();
    for (int i = 0; i < TIMES; i++) once();
    printf("%d %s\n", bytes[BYTES - 1] == (char)(TIMES + 10),
           kilobytes() - before < 32 << 10 ? "nothing is left" : "memory is left");
    return 0;
}
