// atomic on references, members and enumerations' carriers; std::atomic side by side.
#include "check.h"
#include <atomic>

struct Stats {
    double sum = 0;
    long count = 0;
    void add(double x)
    {
#pragma omp atomic
        sum += x;
#pragma omp atomic
        ++count;
    }
};

int main()
{
    Stats stats;
    std::atomic<long> plain{0};
    int cell = 0;
    int &reference = cell;
#pragma omp parallel for
    for (int i = 0; i < 1000; i++) {
        stats.add(0.5);
        plain++;
#pragma omp atomic update
        reference += 2;
    }
    CHECK(stats.sum == 500);
    CHECK_EQ(stats.count, 1000);
    CHECK_EQ(plain.load(), 1000);
    CHECK_EQ(cell, 2000);
    return check_done();
}
