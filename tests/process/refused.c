#define _GNU_SOURCE
/* Thread creation refused: the team gets smaller, the work is done all the same.
 * refused processes: by RLIMIT_NPROC; refused memory: by RLIMIT_AS. Prints the team's size. */
#include "../conformance/check.h"
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int by_memory = argc > 1 && !strcmp(argv[1], "memory");
    struct rlimit limit;
    if (by_memory) {
        limit.rlim_cur = limit.rlim_max = 300ul << 20;
        CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
    } else {
        limit.rlim_cur = limit.rlim_max = 6;
        CHECK_EQ(setrlimit(RLIMIT_NPROC, &limit), 0);
        /* The limit does not bind root: become somebody without other processes. */
        if (geteuid() == 0)
            CHECK_EQ(setresuid(54321, 54321, 54321), 0);
    }
    int size = 0;
    for (int round = 0; round < 3; round++) {
        long sum = 0;
        int members = 0;
#pragma omp parallel num_threads(64) reduction(+ : sum, members)
        {
            members++;
#pragma omp single
            size = omp_get_num_threads();
#pragma omp for schedule(static)
            for (int i = 0; i < 1000; i++)
                sum += i;
        }
        CHECK_EQ(sum, 499500);
        CHECK_EQ(members, size);
        CHECK(size >= 1 && size < 64);
    }
    printf("team %d\n", size);
    return check_done();
}
