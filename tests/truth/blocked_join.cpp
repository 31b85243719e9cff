// The first thread starts std::threads, each with regions of its own, and joins them.
#include "truth.h"
#include <thread>

static double work[2], serial[2];

static void run(int k)
{
    for (int i = 0; i < 20; i++) {
        serial[k] += burn(0.004);
        double sum = 0;
        #pragma omp parallel num_threads(1) reduction(+ : sum) // mark: region
        sum += burn(0.020);
        work[k] += sum;
    }
}

int main()
{
    double begin = now(), joined;
    std::thread one(run, 0), two(run, 1);
    double from = now();
    one.join();
    two.join();
    joined = now() - from;
    double sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: last
    sum += burn(0.200);
    truth("work@region", work[0] + work[1]);
    truth("work@last", sum);
    truth("blocked_serial", joined);
    truth("elapsed", now() - begin);
}
