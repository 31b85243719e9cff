// Regions that macros make, two of them in one function, one in a statement expression.
#include "truth.h"

#define TEAM(into, seconds)                                                                       \
    do {                                                                                          \
        double sum = 0;                                                                           \
        _Pragma("omp parallel num_threads(2) reduction(+ : sum)") sum += burn(seconds);           \
        into += sum;                                                                              \
    } while (0)
#define VALUE(seconds)                                                                            \
    ({                                                                                            \
        double value_ = 0;                                                                        \
        _Pragma("omp parallel num_threads(2) reduction(+ : value_)") value_ += burn(seconds);     \
        value_;                                                                                   \
    })

int main(void)
{
    double begin = now(), first = 0, second = 0, third = 0;
    for (int step = 0; step < 12; step++) {
        TEAM(first, 0.004); // mark: first
        TEAM(second, 0.008); // mark: second
        third += VALUE(0.006); // mark: third
    }
    truth("work@first", first);
    truth("work@second", second);
    truth("work@third", third);
    truth("instances@first", 12);
    truth("instances@third", 12);
    truth("elapsed", now() - begin);
}
