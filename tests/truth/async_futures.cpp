// std::async runs a function with regions while the first thread works, then waits for the future.
#include "truth.h"
#include <future>

static double crunch()
{
    double sum = 0;
    for (int i = 0; i < 5; i++) {
        #pragma omp parallel num_threads(1) reduction(+ : sum) // mark: crunch
        sum += burn(0.010);
    }
    return sum;
}

int main()
{
    double begin = now(), own = 0, theirs = 0, waited = 0;
    for (int step = 0; step < 8; step++) {
        auto future = std::async(std::launch::async, crunch);
        own += burn(0.015);
        double from = now();
        theirs += future.get();
        waited += now() - from;
        #pragma omp parallel num_threads(2) // mark: both
        burn(0.005);
    }
    truth("work@crunch", theirs);
    truth("instances@crunch", 40);
    truth("instances@both", 8);
    truth("blocked_serial", waited);
    truth("serial", own);
    truth("elapsed", now() - begin);
}
