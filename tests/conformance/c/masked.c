/* master and masked: only the named thread, and nobody waits. */
#include "check.h"

int main(void)
{
    int master = 0, masked = 0, filtered = 0, none = 0, n = check_threads();
#pragma omp parallel
    {
#pragma omp master
        {
            master++;
            CHECK_EQ(omp_get_thread_num(), 0);
        }
#pragma omp masked
        masked++;
#pragma omp masked filter(omp_get_num_threads() - 1)
        {
            filtered++;
            CHECK_EQ(omp_get_thread_num(), n - 1);
        }
#pragma omp masked filter(n + 5)
        none++;
    }
    CHECK_EQ(master, 1);
    CHECK_EQ(masked, 1);
    CHECK_EQ(filtered, 1);
    CHECK_EQ(none, 0);
    return check_done();
}
