// Each step makes a vector of its own that is too large for malloc to keep: the code of the C++
// library that fills it meets new pages, and the user's line is the one that makes the vector.
#include "truth.h"
#include <vector>

APART void use(std::vector<float> &values)
{
    values[values.size() / 2] = 2;
}

int main()
{
    double begin = now(), sum = 0;
    #pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(dynamic) // mark: region
    for (int step = 0; step < 60; step++) {
        std::vector<float> values(10000000, 1.0f); // disease: page-faults
        use(values);
        sum += values[step];
    }
    truth("elapsed", now() - begin);
    return sum > 0 ? 0 : 1;
}
