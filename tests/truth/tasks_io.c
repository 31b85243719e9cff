// Tasks that read what a child process writes into pipes, and others that compute.
#include "truth.h"
#include <sys/wait.h>
#include <unistd.h>

static own_t asleep[2], work[2];

static void feed(int end)
{
    char byte = 1;
    for (int i = 0; i < 40; i++) {
        usleep(12000);
        if (write(end, &byte, 1) != 1)
            _exit(1);
    }
    _exit(0);
}

int main(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        return 1;
    double begin = now();
    pid_t child = fork();
    if (child == 0)
        feed(ends[1]);
    #pragma omp parallel num_threads(2) // mark: region, disease: blocked anywhere
    #pragma omp single
    for (int i = 0; i < 40; i++) {
        #pragma omp task // mark: reader
        {
            char byte;
            double asked = now(), before = computed();
            if (read(ends[0], &byte, 1) != 1)
                abort();
            double ran = computed() - before;
            int me = omp_get_thread_num();
            asleep[me].seconds += now() - asked - ran;
            work[me].seconds += ran + burn_ran(0.002);
        }
    }
    waitpid(child, 0, 0);
    truth("tasks@reader", 40);
    truth("blocked.read@region", sum_of(asleep, 2));
    truth("ran@region", sum_of(work, 2));
    truth("elapsed", now() - begin);
}
