/* execv after a region: the new image starts afresh. */
#include "../conformance/check.h"
#include <unistd.h>

int main(int argc, char **argv)
{
    int sum = 0;
    (void)argc;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += 1;
    CHECK_EQ(sum, 4);
    int generation = argv[1] ? atoi(argv[1]) : 0;
    if (generation < 5) {
        char next[16];
        snprintf(next, sizeof next, "%d", generation + 1);
        execl("/proc/self/exe", argv[0], next, (char *)0);
        CHECK(0);
    }
    return check_done();
}
