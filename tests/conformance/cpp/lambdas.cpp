// Regions inside lambdas, templates, members and virtual functions.
#include "check.h"
#include <functional>
#include <numeric>
#include <vector>

template <typename T> T total(const std::vector<T> &v)
{
    T sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (size_t i = 0; i < v.size(); i++)
        sum += v[i];
    return sum;
}

struct Base {
    int field = 3;
    virtual ~Base() = default;
    virtual long run() = 0;
};
struct Derived : Base {
    long sum = 0;
    long run() override
    {
#pragma omp parallel
        {
#pragma omp for reduction(+ : sum) schedule(dynamic)
            for (int i = 0; i < 100; i++)
                sum += field * i;
        }
        return sum;
    }
};

int main()
{
    int offset = 5;
    std::function<long(int)> f = [&offset](int n) {
        long s = 0;
#pragma omp parallel for reduction(+ : s)
        for (int i = 0; i < n; i++)
            s += [&](int x) { return x + offset; }(i);
        return s;
    };
    CHECK_EQ(f(100), 4950 + 500);
    CHECK_EQ(total(std::vector<int>(100, 3)), 300);
    CHECK_EQ(total(std::vector<double>(100, 0.5)), 50);
    CHECK_EQ(total(std::vector<unsigned char>(100, 2)), 200);
    Derived d;
    Base &b = d;
    CHECK_EQ(b.run(), 3 * 4950);
    return check_done();
}
