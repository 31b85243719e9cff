// Loops over random access iterators, range-for loops, and reversed iterators.
#include "check.h"
#include <deque>
#include <vector>

int main()
{
    std::vector<int> v(1000);
    std::deque<long> d(500, 2);
#pragma omp parallel for schedule(dynamic, 7)
    for (auto it = v.begin(); it < v.end(); ++it)
        *it = (int)(it - v.begin());
    long sum = 0, twos = 0, back = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int &x : v)
        sum += x;
#pragma omp parallel for reduction(+ : twos) schedule(guided)
    for (auto it = d.begin(); it < d.end(); it += 2)
        twos += *it;
#pragma omp parallel for reduction(+ : back) schedule(static, 3)
    for (auto it = v.rbegin(); it < v.rend(); ++it)
        back += *it;
    CHECK_EQ(sum, 499500);
    CHECK_EQ(twos, 500);
    CHECK_EQ(back, 499500);
    return check_done();
}
