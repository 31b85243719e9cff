// Threads that allocate through one guarded pool: the pool's mutex is what they wait for.
#include "truth.h"
#include <mutex>
#include <vector>

struct Pool {
    std::mutex mutex;
    double held = 0;

    void *take(size_t size)
    {
        std::lock_guard<std::mutex> own(mutex);
        held += burn(0.004);
        return malloc(size);
    }
};

static Pool pool;
static own_t work[2], asked_for[2];

int main()
{
    double begin = now();
    #pragma omp parallel num_threads(2) // mark: region, disease: blocked anywhere
    for (int i = 0; i < 60; i++) {
        int me = omp_get_thread_num();
        double asked = now();
        void *block = pool.take(4096);
        asked_for[me].seconds += now() - asked;
        work[me].seconds += burn(0.001);
        std::vector<int> many(100000, i);
        free(block);
    }
    truth("blocked@region", sum_of(asked_for, 2) - pool.held);
    truth("elapsed", now() - begin);
}
