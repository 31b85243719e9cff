// Function-local statics, thread_local objects and std::thread beside OpenMP.
#include "check.h"
#include <atomic>
#include <thread>

static std::atomic<int> once{0};
static int &shared_cell()
{
    static int cell = (++once, 40);
    return cell;
}
static thread_local int own = 1;

int main()
{
    int n = check_threads();
    long sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        sum += shared_cell();
        own += omp_get_thread_num();
    }
    CHECK_EQ(once.load(), 1);
    CHECK_EQ(sum, 40l * n);
#pragma omp parallel
    CHECK_EQ(own, 1 + omp_get_thread_num());
    long other = 0;
    std::thread thread([&] {
#pragma omp parallel num_threads(3) reduction(+ : other)
        other += omp_get_num_threads();
    });
    thread.join();
    CHECK_EQ(other, 9);
    return check_done();
}
