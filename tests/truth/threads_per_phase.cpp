// healthy
// New std::threads in each phase, each with one region of its own, that end with the phase.
#include "truth.h"
#include <thread>
#include <vector>

int main()
{
    double begin = now();
    own_t own[2] = {};
    for (int phase = 0; phase < 15; phase++) {
        std::vector<std::thread> threads;
        for (int k = 0; k < 2; k++)
            threads.emplace_back([&own, k] {
                double sum = 0;
                #pragma omp parallel num_threads(1) reduction(+ : sum) // mark: region
                sum += burn(0.030);
                own[k].seconds += sum;
            });
        for (auto &thread : threads)
            thread.join();
    }
    truth("work@region", sum_of(own, 2));
    truth("instances@region", 30);
    truth("elapsed", now() - begin);
}
