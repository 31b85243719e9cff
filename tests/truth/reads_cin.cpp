// Numbers and lines come slowly from a child to std::cin, scanf and getchar, between regions and
// within one.
#include "truth.h"
#include <iostream>
#include <string>
#include <unistd.h>

static void from_child()
{
    int ends[2];
    if (pipe(ends))
        exit(1);
    if (fork() == 0) {
        close(ends[0]);
        for (int i = 0; i < 60; i++) {
            struct timespec pause = {0, 8000000};
            nanosleep(&pause, nullptr);
            if (write(ends[1], "17\n", 3) != 3)
                _exit(1);
        }
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], 0);
}

int main()
{
    from_child();
    double begin = now(), outside = 0, inside = 0, work = 0;
    for (int step = 0; step < 15; step++) {
        int number = 0, other = 0;
        std::string line;
        double from = now();
        std::cin >> number;
        if (scanf("%d", &other) != 1 || getchar() != '\n')
            return 1;
        std::getline(std::cin, line);
        if (number != 17 || other != 17 || line != "17")
            return 1;
        outside += now() - from;
        #pragma omp parallel num_threads(2) reduction(+ : inside, work) // mark: region
        {
            #pragma omp single nowait
            {
                double asked = now(), before = computed();
                if (scanf("%d", &number) != 1)
                    exit(1);
                double ran = computed() - before;
                inside += now() - asked - ran;
                work += ran;
                std::getline(std::cin, line);
            }
            work += burn_ran(0.003);
        }
    }
    truth("ran@region", work);
    truth("blocked.scanf@region", inside);
    truth("blocked_serial", outside);
    truth("elapsed", now() - begin);
}
