// taskloop with firstprivate and lastprivate objects and a class reduction.
#include "check.h"
#include <string>

struct Sum {
    long value = 0;
    Sum &operator+=(const Sum &o)
    {
        value += o.value;
        return *this;
    }
};
#pragma omp declare reduction(+ : Sum : omp_out += omp_in)

int main()
{
    std::string prefix(40, 'p'), last;
    Sum sum;
    long lengths = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop firstprivate(prefix) lastprivate(last) grainsize(5) shared(lengths)
        for (int i = 0; i < 100; i++) {
            last = prefix + std::to_string(i);
#pragma omp atomic
            lengths += (long)prefix.size();
        }
#pragma omp taskloop reduction(+ : sum) num_tasks(7)
        for (int i = 0; i < 100; i++)
            sum.value += i;
    }
    CHECK(last == std::string(40, 'p') + "99");
    CHECK_EQ(lengths, 4000);
    CHECK_EQ(sum.value, 4950);
    return check_done();
}
