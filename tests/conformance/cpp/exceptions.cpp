// Exceptions thrown and caught inside regions, loops, criticals and tasks.
#include "check.h"
#include <stdexcept>

static int risky(int i)
{
    if (i % 3 == 0)
        throw std::runtime_error("three");
    return i;
}

int main()
{
    int caught = 0, fine = 0, in_tasks = 0, in_critical = 0;
#pragma omp parallel for reduction(+ : caught, fine) schedule(dynamic)
    for (int i = 0; i < 300; i++) {
        try {
            risky(i);
            fine++;
        } catch (const std::runtime_error &) {
            caught++;
        }
    }
    CHECK_EQ(caught, 100);
    CHECK_EQ(fine, 200);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 60; i++) {
#pragma omp task shared(in_tasks)
        {
            try {
                risky(i);
            } catch (...) {
#pragma omp atomic
                in_tasks++;
            }
        }
    }
    CHECK_EQ(in_tasks, 20);
#pragma omp parallel for
    for (int i = 0; i < 30; i++) {
#pragma omp critical
        {
            try {
                risky(i);
            } catch (...) {
                in_critical++;
            }
        }
    }
    CHECK_EQ(in_critical, 10);
    return check_done();
}
