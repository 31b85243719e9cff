// Debug information in a file of its own: functions that were inlined are told there alone.
// @flags: -gsplit-dwarf
#include "truth.h"

namespace {

/// Computes in a region that each caller has for itself.
inline double compute(double seconds)
{
    double sum = 0;
    #pragma omp parallel num_threads(2) reduction(+:sum) // mark: region
    sum += burn(seconds);
    return sum;
}

struct Solver {
    double begin() { return compute(0.01); }
    double end() { return compute(0.02); }
};

}

int main()
{
    double start = now(), work = 0;
    Solver solver;
    for (int i = 0; i < 10; i++) {
        work += solver.begin();
        work += solver.end();
    }
    truth("work@region", work);
    truth("instances@region", 20);
    truth("callers@region", 2);
    truth("elapsed", now() - start);
}
