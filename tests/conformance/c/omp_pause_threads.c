/* omp_pause_resource: the threads of the pool end, so that the next region's other threads are new
 * ones with fresh thread-local data; inside a region nothing is paused.
 *
 * @compilers: gcc — LLVM's runtime keeps its threads when paused softly
 */
#include "check.h"

int mark;
#pragma omp threadprivate(mark)

int main(void)
{
    for (int round = 0; round < 20; round++) {
        int old = 0, size = 0;
#pragma omp parallel reduction(+ : old)
        {
            old += omp_get_thread_num() != 0 && mark != 0;
            mark = 1 + omp_get_thread_num();
#pragma omp single
            size = omp_get_num_threads();
            CHECK(size == 1 || omp_pause_resource(omp_pause_soft, omp_get_initial_device()) != 0);
        }
        CHECK_EQ(old, 0);
        int kept = 0;
#pragma omp parallel reduction(+ : kept)
        kept += mark == 1 + omp_get_thread_num();
        CHECK_EQ(kept, size);
        if (round % 2)
            CHECK_EQ(omp_pause_resource(omp_pause_soft, omp_get_initial_device()), 0);
        else
            CHECK_EQ(omp_pause_resource_all(omp_pause_hard), 0);
    }
    return check_done();
}
