// Disease: nested parallelism. Both levels ask for threads as if the machine were theirs alone:
// two teams, each with a thread for every CPU, share the CPUs.
// Expected in the report: "nested parallelism", the inner region at the marked line.
#include <cstdio>
#include <omp.h>
#include <vector>

namespace {

class Field {
  public:
    explicit Field(unsigned seed) : cells_(240, seed) {}

    void relax()
    {
        int team = omp_get_num_procs();
        int size = static_cast<int>(cells_.size());
#pragma omp parallel for num_threads(team) schedule(static) // disease: nested-parallelism
        for (int c = 0; c < size; c++) {
            unsigned x = cells_[c] + static_cast<unsigned>(c);
            for (int i = 0; i < 60000; i++)
                x = x * 1664525u + 1013904223u;
            cells_[c] = x;
        }
    }

    unsigned sum() const
    {
        unsigned total = 0;
        for (unsigned c : cells_)
            total += c;
        return total;
    }

  private:
    std::vector<unsigned> cells_;
};

} // namespace

int main()
{
    omp_set_max_active_levels(2);
    unsigned total = 0;
#pragma omp parallel for num_threads(2) reduction(+ : total) schedule(static, 1)
    for (int f = 0; f < 2; f++) {
        Field field(static_cast<unsigned>(f));
        for (int sweep = 0; sweep < 50; sweep++)
            field.relax();
        total += field.sum();
    }
    std::printf("%u\n", total);
}
