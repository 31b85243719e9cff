/* Threads of the program that use OpenMP and end: their workers are used again or end too. */
#include "../conformance/check.h"
#include <dirent.h>
#include <pthread.h>
#include <unistd.h>

static int tasks(void)
{
    int count = 0;
    DIR *directory = opendir("/proc/self/task");
    for (struct dirent *e; directory && (e = readdir(directory));)
        count += e->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return count;
}

static void *work(void *argument)
{
    int sum = 0;
    (void)argument;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += 1;
    CHECK_EQ(sum, 3);
    return 0;
}

int main(void)
{
    for (int round = 0; round < 200; round++) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, 0, work, 0), 0);
        pthread_join(thread, 0);
    }
    /* Ended threads may linger for a moment. */
    for (int i = 0; i < 100 && tasks() > 8; i++)
        usleep(10000);
    CHECK(tasks() <= 8);
    work(0);
    return check_done();
}
