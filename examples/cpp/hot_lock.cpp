// Disease: a hot lock. Every insertion into the shared index takes one and the same lock, and most
// of the work is done while it is held.
// Expected in the report: "contention", the lock, taken at the marked line.
#include <cstdio>
#include <omp.h>

namespace {

class Index {
  public:
    Index() { omp_init_lock(&lock_); }
    ~Index() { omp_destroy_lock(&lock_); }

    void insert(unsigned key)
    {
        omp_set_lock(&lock_); // disease: hot-mutex
        unsigned x = key;
        for (int i = 0; i < 8000; i++)
            x = x * 1664525u + 1013904223u;
        buckets_[key % 64] += x;
        omp_unset_lock(&lock_);
    }

    unsigned sum() const
    {
        unsigned total = 0;
        for (unsigned b : buckets_)
            total += b;
        return total;
    }

  private:
    omp_lock_t lock_;
    unsigned buckets_[64] = {};
};

} // namespace

int main()
{
    Index index;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 120000; i++) {
        unsigned x = static_cast<unsigned>(i);
        for (int k = 0; k < 2000; k++)
            x = x * 22695477u + 1u;
        index.insert(x);
    }
    std::printf("%u\n", index.sum());
}
