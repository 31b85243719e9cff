// Disease: nested parallelism. Both levels ask for threads as if the machine were theirs alone:
// two teams, each with two threads for every CPU, share the CPUs, and meet at many barriers.
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
        int team = 2 * omp_get_num_procs();
        int size = static_cast<int>(cells_.size());
#pragma omp parallel num_threads(team) // disease: nested-parallelism
        for (int step = 0; step < 50; step++) {
#pragma omp for schedule(static)
            for (int c = 0; c < size; c++) {
                unsigned x = cells_[c] + static_cast<unsigned>(c);
                for (int i = 0; i < 200; i++) {
                    x = x * 1664525u + 1013904223u;
                    __asm__ volatile("" : "+r"(x));
                }
                cells_[c] = x;
            }
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
        for (int sweep = 0; sweep < 300; sweep++)
            field.relax();
        total += field.sum();
    }
    std::printf("%u\n", total);
}
