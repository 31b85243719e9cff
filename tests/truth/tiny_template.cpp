// Tiny regions in a hot loop, in a function template of two types.
#include "truth.h"
#include <vector>

template <typename T> void add(std::vector<T> &a, const std::vector<T> &b)
{
    #pragma omp parallel for num_threads(2) // mark: region, disease: tiny-regions
    for (size_t i = 0; i < a.size(); i++)
        a[i] += b[i];
}

int main()
{
    double begin = now();
    std::vector<float> a(100), b(100);
    std::vector<double> c(100), d(100);
    for (int step = 0; step < 60000; step++) {
        add(a, b);
        add(c, d);
    }
    truth("instances@region", 120000);
    truth("elapsed", now() - begin);
}
