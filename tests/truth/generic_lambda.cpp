// Regions in a generic lambda, in a member template, and around a std::function.
#include "truth.h"
#include <algorithm>
#include <functional>
#include <vector>

static double in_lambda, in_member, in_function;

template <typename T> struct Field {
    T scale;
    template <int N> double advance()
    {
        double sum = 0;
        #pragma omp parallel for schedule(static, 1) num_threads(2) reduction(+ : sum) // mark: own
        for (int i = 0; i < N; i++)
            sum += burn(0.001 * scale);
        return sum;
    }
};

static double with(const std::function<double(int)> &what)
{
    double sum = 0;
    #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: function
    sum += what(omp_get_thread_num());
    return sum;
}

int main()
{
    double begin = now();
    std::vector<int> steps(40);
    auto generic = [](auto amount) {
        double sum = 0;
        #pragma omp parallel num_threads(2) reduction(+ : sum) // mark: lambda
        sum += burn(0.001 * amount);
        return sum;
    };
    std::for_each(steps.begin(), steps.end(), [&](int) {
        in_lambda += generic(3) + generic(2.0);
        in_member += Field<float>{1.0f}.advance<2>() + Field<double>{1.0}.advance<4>();
        in_function += with([](int) { return burn(0.002); });
    });
    truth("work@lambda", in_lambda);
    truth("instances@lambda", 80);
    truth("work@own", in_member);
    truth("instances@own", 80);
    truth("work@function", in_function);
    truth("instances@function", 40);
    truth("elapsed", now() - begin);
}
