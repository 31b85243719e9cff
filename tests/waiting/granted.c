/* The processors that OpenMP counts are those that the argument says, or fewer if the mask has
 * fewer. */
#define _GNU_SOURCE
#include "../conformance/check.h"
#include <sched.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    cpu_set_t set;
    int wanted = argc > 1 ? atoi(argv[1]) : 1, size = 0;
    sched_getaffinity(0, sizeof set, &set);
    if (wanted > CPU_COUNT(&set))
        wanted = CPU_COUNT(&set);
    CHECK_EQ(omp_get_num_procs(), wanted);
    CHECK_EQ(omp_get_max_threads(), wanted);
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, wanted);
    omp_set_dynamic(1);
#pragma omp parallel num_threads(64)
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, wanted);
    return check_done();
}
