/* task untied with final: an included task is complete, with all its parts, when the code behind it
 * goes on. */
#include "check.h"

/* Sums 1 to n by tasks that each write to a place in their parent's frame. */
static int sum(int low, int high)
{
    int left = 0, right = 0, middle = (low + high) / 2;
    if (low == high)
        return low;
#pragma omp task untied shared(left) final(high - low < 8) mergeable
    {
        int part = sum(low, middle);
#pragma omp taskyield
        left = part;
#pragma omp taskwait
    }
    if (omp_in_final())
        CHECK_EQ(left, (low + middle) * (middle - low + 1) / 2);
#pragma omp task untied shared(right) final(high - low < 8)
    {
        int part = sum(middle + 1, high);
#pragma omp taskyield
        right = part;
    }
    if (omp_in_final())
        CHECK_EQ(right, (middle + 1 + high) * (high - middle) / 2);
#pragma omp taskwait
    return left + right;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
    CHECK_EQ(sum(1, 500), 125250);
    return check_done();
}
