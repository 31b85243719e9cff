// A single reads what another process sends slowly, and the team waits.
#include "truth.h"
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    double begin = now(), asleep = 0;
    own_t own[2] = {{0}};
    int ends[2];
    if (pipe(ends)) return 1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        for (int i = 0; i < 20; i++) {
            usleep(18000);
            if (write(ends[1], "x", 1) != 1) _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    #pragma omp parallel num_threads(2) // mark: region, disease: blocked
    for (;;) {
        static int more;
        #pragma omp single // mark: single
        {
            char c;
            double from = now();
            more = read(ends[0], &c, 1) == 1;
            asleep += now() - from;
        }
        if (!more) break;
        own[omp_get_thread_num()].seconds += burn(0.004);
        #pragma omp barrier
    }
    waitpid(child, 0, 0);
    truth("work@region", sum_of(own, 2));
    truth("blocked.read@region", asleep);
    truth("instances@single", 21);
    truth("elapsed", now() - begin);
}
