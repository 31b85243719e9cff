// What the programs share: work that takes so much of a processor's time, and their own clock of
// the time in calls of MPI, printed by each rank.
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double in_mpi;
static long calls;

// A call, with the time that it took.
#define TIMED(call)                                                                                \
    do {                                                                                           \
        double begin_ = MPI_Wtime();                                                               \
        call;                                                                                      \
        in_mpi += MPI_Wtime() - begin_;                                                            \
        calls++;                                                                                   \
    } while (0)

static double used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

// Computes for so many milliseconds of processor time.
__attribute__((noinline)) static void work(double milliseconds)
{
    for (double until = used() + milliseconds * 1e-3; used() < until;)
        continue;
}

static int rank_of(MPI_Comm communicator)
{
    int rank;
    MPI_Comm_rank(communicator, &rank);
    return rank;
}

static int size_of(MPI_Comm communicator)
{
    int size;
    MPI_Comm_size(communicator, &size);
    return size;
}

// One line a rank: the time by its own clock, and how many calls that was.
static void tell(int rank)
{
    char line[128];
    const char *form = "rank %d in_mpi %.6f calls %ld\n";
    int length = snprintf(line, sizeof line, form, rank, in_mpi, calls);
    fwrite(line, 1, length, stdout);
    fflush(stdout);
}

// MPI ends, which a clock of the system's times.
static void finish(int rank)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    MPI_Finalize();
    clock_gettime(CLOCK_MONOTONIC, &end);
    double time = end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) * 1e-9;
    char line[128];
    int length = snprintf(line, sizeof line, "rank %d finalize %.6f\n", rank, time);
    fwrite(line, 1, length, stdout);
    fflush(stdout);
}

// A moment, alike in all processes of this machine.
static double moment(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + now.tv_nsec * 1e-9;
}

// What of the time from `begin` to `end` lies before `until`.
static double before(double until, double begin, double end)
{
    double last = until < end ? until : end;
    return last > begin ? last - begin : 0;
}

// One line a rank: how long it waited for others in a function, by the moments at which they came.
static void tell_waited(int rank, const char *function, double time)
{
    char line[128];
    int length = snprintf(line, sizeof line, "rank %d waited %s %.6f\n", rank, function, time);
    fwrite(line, 1, length, stdout);
    fflush(stdout);
}
