// Lines come slowly from a child: by fgets, getline and getc between regions, and within one.
#include "truth.h"
#include <unistd.h>

static FILE *lines(void)
{
    int ends[2];
    if (pipe(ends))
        exit(1);
    if (fork() == 0) {
        close(ends[0]);
        for (int i = 0; i < 60; i++) {
            struct timespec pause = {0, 8000000};
            nanosleep(&pause, 0);
            if (write(ends[1], "line\n", 5) != 5)
                _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    return fdopen(ends[0], "r");
}

int main(void)
{
    double begin = now(), outside = 0, inside = 0, work = 0;
    char line[80], *longer = 0;
    size_t size = 0;
    FILE *stream = lines();
    for (int step = 0; step < 15; step++) {
        double from = now();
        if (!fgets(line, sizeof line, stream))
            return 1;
        if (getline(&longer, &size, stream) < 0)
            return 1;
        while (getc(stream) != '\n')
            ;
        outside += now() - from;
        #pragma omp parallel num_threads(2) reduction(+ : inside, work) // mark: region
        {
            #pragma omp single nowait
            {
                double asked = now();
                if (!fgets(line, sizeof line, stream))
                    exit(1);
                inside += now() - asked;
            }
            work += burn(0.003);
        }
    }
    truth("work@region", work);
    truth("blocked.fgets@region", inside);
    truth("blocked_serial", outside);
    truth("elapsed", now() - begin);
}
