// Half of the regions are made by threads that begin late and live for one region each.
#include "truth.h"
#include <thread>

static double first, second;

static void one()
{
    double sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: late
    sum += burn(0.015);
    second += sum;
}

int main()
{
    double begin = now();
    for (int i = 0; i < 20; i++) {
        double sum = 0;
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: early
        sum += burn(0.010);
        first += sum;
    }
    for (int i = 0; i < 10; i++)
        std::thread(one).join();
    truth("work@early", first);
    truth("instances@early", 20);
    truth("work@late", second);
    truth("instances@late", 10);
    truth("elapsed", now() - begin);
}
