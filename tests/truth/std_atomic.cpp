// Threads count in one std::atomic: the code that changes it stands in a header of the C++ library,
// and the user's line is the one that calls it.
#include "truth.h"
#include <atomic>

struct stats_t {
    std::atomic<long> seen{0};
    void note() { seen.fetch_add(1, std::memory_order_relaxed); } // disease: contended-variable
};

static stats_t stats;

int main()
{
    double begin = now();
    #pragma omp parallel for num_threads(2) // mark: region
    for (long i = 0; i < 60000000; i++)
        stats.note();
    truth("elapsed", now() - begin);
    return stats.seen == 60000000 ? 0 : 1;
}
