/* thread-limit-var holds for all threads of a contention group together, nested regions included; a
 * region's end gives its threads back.
 *
 * @env: OMP_THREAD_LIMIT=6 OMP_MAX_ACTIVE_LEVELS=3 OMP_DYNAMIC=false
 * @compilers: gcc — LLVM's runtime limits each region by the threads of the whole process
 */
#include "check.h"
#include <unistd.h>

int main(void)
{
    CHECK_EQ(omp_get_thread_limit(), 6);
    for (int round = 0; round < 3; round++) {
        int size = 0, working = 0, most = 0;
#pragma omp parallel num_threads(6)
#pragma omp single
        size = omp_get_num_threads();
        CHECK_EQ(size, 6);
#pragma omp parallel num_threads(5)
#pragma omp parallel num_threads(5)
#pragma omp parallel num_threads(2)
        {
            int now;
#pragma omp atomic capture
            now = ++working;
#pragma omp critical
            most = now > most ? now : most;
            usleep(2000);
#pragma omp atomic
            working--;
        }
        CHECK(most >= 1 && most <= 6);
    }
    return check_done();
}
