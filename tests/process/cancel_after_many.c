/* A region that is cancelled after thousands of barriers and constructs: whoever waits in a later
 * one leaves, and the next region begins as any other. */
#include "../conformance/check.h"
#include <unistd.h>

enum { MANY = 5000 };

int main(int argc, char **argv)
{
    if (!omp_get_cancellation() && argc == 1) {
        setenv("OMP_CANCELLATION", "true", 1);
        execv("/proc/self/exe", (char *[]){argv[0], "again", 0});
    }
    CHECK(omp_get_cancellation());
    for (int round = 0; round < 3; round++) {
        int singles = 0, iterations = 0, after = 0;
#pragma omp parallel num_threads(2)
        {
            for (int i = 0; i < MANY; i++) {
#pragma omp barrier
#pragma omp single nowait
#pragma omp atomic
                singles++;
#pragma omp for schedule(dynamic) nowait
                for (int j = 0; j < 2; j++)
#pragma omp atomic
                    iterations++;
            }
            if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
            }
#pragma omp barrier
            CHECK(!omp_get_cancellation() || omp_get_num_threads() == 1);
        }
        CHECK_EQ(singles, MANY);
        CHECK_EQ(iterations, 2 * MANY);
#pragma omp parallel num_threads(2)
        {
#pragma omp barrier
#pragma omp single
            after++;
#pragma omp for schedule(dynamic)
            for (int j = 0; j < 10; j++)
#pragma omp atomic
                after++;
        }
        CHECK_EQ(after, 11);
    }
    return check_done();
}
