// declare reduction over a C++ class, by operators and by a member.
#include "check.h"
#include <vector>

class Histogram {
  public:
    explicit Histogram(int bins = 16) : bins_(bins, 0) {}
    void add(int value) { bins_[value % bins_.size()]++; }
    Histogram &operator+=(const Histogram &other)
    {
        for (size_t i = 0; i < bins_.size(); i++)
            bins_[i] += other.bins_[i];
        return *this;
    }
    long at(int i) const { return bins_[i]; }

  private:
    std::vector<long> bins_;
};
#pragma omp declare reduction(+ : Histogram : omp_out += omp_in) initializer(omp_priv = Histogram())

#pragma omp declare reduction( \
        merge : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))

int main()
{
    Histogram all;
    std::vector<int> kept;
#pragma omp parallel for reduction(+ : all) reduction(merge : kept) schedule(dynamic)
    for (int i = 0; i < 1600; i++) {
        all.add(i);
        if (i % 100 == 0)
            kept.push_back(i);
    }
    for (int i = 0; i < 16; i++)
        CHECK_EQ(all.at(i), 100);
    CHECK_EQ(kept.size(), 16);
    long sum = 0;
    for (int v : kept)
        sum += v;
    CHECK_EQ(sum, 100 * 120);
    return check_done();
}
