/* omp_get_max_threads is what a region asks for: thread-limit-var cuts what it gets.
 *
 * @env: OMP_THREAD_LIMIT=5 OMP_NUM_THREADS=6 OMP_DYNAMIC=false
 * @threads: 6
 */
#include "check.h"

int main(void)
{
    int got = 0;
    CHECK_EQ(omp_get_thread_limit(), 5);
    CHECK_EQ(omp_get_max_threads(), 6);
    omp_set_num_threads(46);
    CHECK_EQ(omp_get_max_threads(), 46);
#pragma omp parallel
#pragma omp atomic
    got++;
    CHECK(got >= 1 && got <= 5);
    return check_done();
}
