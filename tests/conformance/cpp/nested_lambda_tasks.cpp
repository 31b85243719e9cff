// Recursive tasks over a divide-and-conquer sort, with references captured by the task.
#include "check.h"
#include <algorithm>
#include <vector>

static void sort(std::vector<int>::iterator from, std::vector<int>::iterator to)
{
    if (to - from < 64) {
        std::sort(from, to);
        return;
    }
    auto middle = from + (to - from) / 2;
#pragma omp task
    sort(from, middle);
#pragma omp task
    sort(middle, to);
#pragma omp taskwait
    std::inplace_merge(from, middle, to);
}

int main()
{
    std::vector<int> v(20000);
    unsigned x = 1;
    for (int &e : v)
        e = (int)((x = x * 1664525u + 1013904223u) >> 8);
    std::vector<int> want = v;
    std::sort(want.begin(), want.end());
#pragma omp parallel
#pragma omp single
    sort(v.begin(), v.end());
    CHECK(v == want);
    return check_done();
}
