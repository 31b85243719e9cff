/* The first thread of a process that sleeps for a nest lock, while the lock's owner takes it once
 * more, or gives it or another one back. Each child is a process in which nobody has slept yet. */
#include "../conformance/check.h"
#include <sys/wait.h>
#include <unistd.h>

static omp_nest_lock_t locks[2];
static long counts[2];

static void hold(int which, int times)
{
    for (int k = 0; k < times; k++)
        omp_set_nest_lock(&locks[which]);
    counts[which]++;
    for (int k = 0; k < times; k++)
        omp_unset_nest_lock(&locks[which]);
}

static int contend(int n)
{
    omp_init_nest_lock(&locks[0]);
    omp_init_nest_lock(&locks[1]);
#pragma omp parallel num_threads(n)
    for (int i = 0; i < 200; i++) {
        int which = (i / 7 + omp_get_thread_num()) % 2;
#pragma omp task firstprivate(i, which)
        hold(which, 1 + i % 3);
        hold(1 - which, 1 + i % 2);
    }
    return counts[0] + counts[1] != 400l * n;
}

int main(void)
{
    int n = check_threads();
    for (int round = 0; round < 40; round++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0)
            _exit(contend(n));
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
    }
    return check_done();
}
