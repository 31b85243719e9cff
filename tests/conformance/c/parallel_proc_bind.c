/* parallel proc_bind, with places: the clause changes where threads run, not what they do. */
/* @env: OMP_PROC_BIND=true OMP_PLACES=threads */
#include "check.h"

int main(void)
{
    int n = check_threads();
    int close = 0, spread = 0, primary = 0;
#pragma omp parallel proc_bind(close)
    {
        CHECK_EQ(omp_get_proc_bind() != omp_proc_bind_false, 1);
#pragma omp atomic
        close++;
    }
#pragma omp parallel proc_bind(spread)
#pragma omp atomic
    spread++;
#pragma omp parallel proc_bind(master)
    {
#pragma omp atomic
        primary++;
        CHECK(omp_get_place_num() >= -1 && omp_get_place_num() < omp_get_num_places());
    }
    CHECK_EQ(close, n);
    CHECK_EQ(spread, n);
    CHECK_EQ(primary, n);
    CHECK(omp_get_num_places() >= 1);
    return check_done();
}
