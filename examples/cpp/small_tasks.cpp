// Disease: tasks too small. One thread makes a task for every number; making and handing over a
// task costs more than the few nanoseconds of work in it.
// Expected in the report: "tasks too small", the task at the marked line.
#include <cstdio>
#include <vector>

namespace {

constexpr int Numbers = 5000000;

unsigned scramble(unsigned x)
{
    for (int i = 0; i < 20; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

} // namespace

int main()
{
    std::vector<unsigned> numbers(Numbers);
    unsigned *cells = numbers.data();
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < Numbers; i++) {
#pragma omp task firstprivate(i, cells) // disease: small-tasks
        cells[i] = scramble(static_cast<unsigned>(i));
    }
    unsigned sum = 0;
    for (unsigned n : numbers)
        sum ^= n;
    std::printf("%u\n", sum);
}
