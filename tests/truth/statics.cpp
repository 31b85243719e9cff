// healthy
// Regions before main, in a constructor of a global object, and after it, in its destructor.
#include "truth.h"

static double begin = now(), first, second;

struct Global {
    Global()
    {
        for (int i = 0; i < 10; i++) {
            double sum = 0;
            #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: constructor
            sum += burn(0.010);
            first += sum;
        }
    }
    ~Global()
    {
        double last = 0;
        for (int i = 0; i < 10; i++) {
            double sum = 0;
            #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: destructor
            sum += burn(0.012);
            last += sum;
        }
        truth("work@constructor", first);
        truth("work@main", second);
        truth("work@destructor", last);
        truth("instances@destructor", 10);
        truth("elapsed", now() - begin);
    }
};

static Global global;

int main()
{
    for (int i = 0; i < 10; i++) {
        double sum = 0;
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: main
        sum += burn(0.008);
        second += sum;
    }
}
