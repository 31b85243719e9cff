/* Whether a worker that waits for its next region sleeps or spins, told by the kernel's count of
 * its voluntary switches: giving the processor away while one spins is none.
 *
 *   waiting sleeps|spins|spins_long|crowd|serial [BLOCKTIME]
 *
 * A worker that may sleep does so sooner or later: the program waits for that as long as it takes.
 * One that must not sleep is looked at after a pause; now and then it may sleep all the same (to
 * get away from a processor that it shares with another program), so a few pauses without are
 * enough. Pauses in which it stood in the queue for a processor say nothing. One that was told to
 * spin for a long time, not for ever, sleeps for up to half a second behind each time that another
 * program had its processor: of such a one only pauses say something that are far from any. */
#define _GNU_SOURCE
#include "../conformance/check.h"
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern int kmp_get_blocktime(void) __attribute__((weak));

static long tid;
static int size;

static long sleeps(void)
{
    char path[64], line[256];
    long count = -1;
    snprintf(path, sizeof path, "/proc/self/task/%ld/status", tid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "voluntary_ctxt_switches: %ld", &count);
    if (file)
        fclose(file);
    return count;
}

/* Nanoseconds that the worker stood ready without a processor. */
static long delayed(void)
{
    char path[64];
    long ran = 0, stood = 0;
    snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", tid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%ld %ld", &ran, &stood) != 2)
        stood = 0;
    if (file)
        fclose(file);
    return stood;
}

static long region(void)
{
    long before = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0)
            size = omp_get_num_threads();
        if (omp_get_thread_num() == 1) {
            tid = syscall(SYS_gettid);
            before = sleeps();
        }
    }
    return before;
}

static void must_sleep(void)
{
    for (int round = 0; round < 5; round++) {
        long before = region(), tries = 0;
        while (sleeps() == before && ++tries < 30000)
            usleep(1000);
        CHECK(tries < 30000);
    }
}

/* Pauses (of 20 ms and more) without a delay behind which a pause counts. */
enum { FAR = 100 };

static void must_spin(int for_ever)
{
    int without = 0, asleep = 0, alone = 0;
    long shown = 0;
    for (int round = 0; round < 300 && without < 8; round++) {
        long before = region(), stood = delayed();
        if (stood - shown > 50000)
            alone = 0;
        usleep(20000);
        shown = delayed();
        if (shown - stood > (for_ever ? 200000 : 50000))
            alone = 0;
        else
            alone++;
        if (sleeps() == before)
            without++;
        else if (alone > (for_ever ? 0 : FAR))
            asleep++;
    }
    CHECK(without == 8 || asleep < 100);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "sleeps";
    int processors = omp_get_num_procs();
    omp_set_dynamic(0);
    if (!strcmp(how, "crowd"))
        omp_set_num_threads(2 * processors + 1);
    region();
    if (!strcmp(how, "serial")) {
        CHECK_EQ(size, 1);
        return check_done();
    }
    CHECK(size > 1);
    if (argc > 2 && kmp_get_blocktime)
        CHECK_EQ(kmp_get_blocktime(), atoi(argv[2]));
    /* With a processor less than threads nobody spins for long. */
    if (!strncmp(how, "spins", 5) && processors >= size)
        must_spin(!strcmp(how, "spins"));
    else
        must_sleep();
    return check_done();
}
