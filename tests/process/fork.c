/* fork() after a region: parent and child both go on entering regions, and so does a grandchild. */
#include "../conformance/check.h"
#include <sys/wait.h>
#include <unistd.h>

static int region(int threads)
{
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100; i++)
            sum += i;
#pragma omp barrier
#pragma omp single
#pragma omp task
        __asm__ volatile("");
    }
    return sum;
}

static void wait_for(pid_t child)
{
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
}

int main(void)
{
    for (int round = 0; round < 10; round++) {
        CHECK_EQ(region(4), 4950);
        pid_t child = fork();
        if (child == 0) {
            CHECK_EQ(region(3), 4950);
            CHECK_EQ(region(6), 4950);
            pid_t grandchild = fork();
            if (grandchild == 0) {
                CHECK_EQ(region(4), 4950);
                _exit(check_failures != 0);
            }
            wait_for(grandchild);
            /* The ordinary end runs the library's own end, too. */
            exit(check_failures != 0);
        }
        CHECK_EQ(region(5), 4950);
        wait_for(child);
    }
    CHECK_EQ(system("true"), 0);
    CHECK_EQ(region(4), 4950);
    return check_done();
}
