// Constructs on a device whose copies are known to the byte; kernels that time themselves; two that
// a thread works beside.
// @env: OMPHALOS_DEVICES=host
#include "truth.h"

enum { N = 1000, STEPS = 10 };

typedef struct {
    double begin, end;
} span_t;

/// Computes for that long, and says from when to when.
APART span_t span(double seconds)
{
    double begin = now();
    burn(seconds);
    return (span_t){begin, now()};
}

APART double overlap(span_t one, span_t other)
{
    double begin = one.begin > other.begin ? one.begin : other.begin;
    double end = one.end < other.end ? one.end : other.end;
    return end > begin ? end - begin : 0;
}

static double sum(const double *of)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += of[i];
    return sum;
}

int main(void)
{
    double begin = now(), in_kernels = 0, a[N], b[N];
    for (int i = 0; i < N; i++)
        a[i] = i, b[i] = 0;
    #pragma omp target enter data map(to: a) // mark: enter
    for (int step = 0; step < STEPS; step++) {
        double took = 0;
        #pragma omp target map(tofrom: took) map(from: b) // mark: kernel
        {
            took = burn(0.02);
            for (int i = 0; i < N; i++)
                b[i] = a[i];
        }
        in_kernels += took;
        #pragma omp target update to(a[0:10]) // mark: update
    }
    #pragma omp target exit data map(from: a) // mark: exit
    truth("instances@enter", 1);
    truth("bytes_to@enter", sizeof a);
    truth("kernels@kernel", STEPS);
    truth("kernel@kernel", in_kernels);
    truth("host_wait@kernel", in_kernels);
    truth("copies_to@kernel", STEPS);
    truth("bytes_to@kernel", STEPS * sizeof(double));
    truth("copies_from@kernel", 2 * STEPS);
    truth("bytes_from@kernel", STEPS * (sizeof b + sizeof(double)));
    truth("copies_to@update", STEPS);
    truth("bytes_to@update", STEPS * 10 * sizeof(double));
    truth("bytes_from@exit", sizeof a);

    #pragma omp target data map(to: a) map(from: b) // mark: data
    {
        #pragma omp target // mark: inside
        for (int i = 0; i < N; i++)
            b[i] = 2 * a[i];
    }
    truth("instances@data", 1);
    truth("bytes_to@data", sizeof a);
    truth("bytes_from@data", sizeof b);
    truth("kernels@inside", 1);
    truth("copies_to@inside", 0);

    double beside = 0, waited = 0;
    for (int step = 0; step < STEPS; step++) {
        span_t kernel, work;
        #pragma omp target map(from: kernel) nowait // mark: shorter
        kernel = span(0.01);
        work = span(0.03);
        #pragma omp taskwait
        beside += overlap(kernel, work);
        #pragma omp target map(from: kernel) nowait // mark: longer
        kernel = span(0.03);
        work = span(0.01);
        #pragma omp taskwait
        waited += kernel.end - kernel.begin - overlap(kernel, work);
    }
    truth("overlap@shorter", beside);
    truth("host_wait@longer", waited);
    truth("bytes_from@longer", STEPS * sizeof(span_t));
    truth("elapsed", now() - begin);
    return sum(b) == N * (N - 1.0) ? 0 : 1;
}
